/** Where the module lies: beside this file. */
const BESIDE = new URL('./nimatron.wasm', import.meta.url);

/** An answer that there is none: what cannot be read, and where. */
export class NimatronError extends Error {
  constructor({ kind, message, span = null, hint = null }, status) {
    super(message);
    this.name = 'NimatronError';
    this.kind = kind;
    this.span = span;
    this.hint = hint;
    this.status = status;
  }
}

async function compile(from) {
  if (from instanceof WebAssembly.Module) return from;
  if (from instanceof ArrayBuffer || ArrayBuffer.isView(from)) return WebAssembly.compile(from);
  const url = new URL(from ?? BESIDE, import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const reply = await fetch(url);
  if (!reply.ok) throw new Error(`${url}: ${reply.status}`);
  const known = reply.headers.get('content-type')?.startsWith('application/wasm');
  return known ? WebAssembly.compileStreaming(reply) : WebAssembly.compile(await reply.arrayBuffer());
}

/** Integers above 2^53 as bigints: they are marked in the text before JSON.parse can round them. */
function parse(text) {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) => {
    return token[0] === '"' || Number.isSafeInteger(Number(token)) ? token : `{"$bigint":"${token}"}`;
  });
  return JSON.parse(marked, (_, value) => {
    return value !== null && typeof value === 'object' && typeof value.$bigint === 'string' ? BigInt(value.$bigint) : value;
  });
}

/** Bigints as plain integers. */
function stringify(value) {
  const text = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `\u0000${inner}\u0000` : inner));
  return text.replace(/"\\u0000(-?\d+)\\u0000"/g, '$1');
}

/**
 * Loads the engine. It answers on the thread that asks, one question at a time: run it in a Worker where questions may
 * take long, and end the Worker to stop it.
 */
export async function load({ module, seconds = 0, megabytes = 0, progress } = {}) {
  const compiled = await compile(module);
  let nimatron;
  const hear = (at, bytes) => progress?.(new TextDecoder().decode(new Uint8Array(nimatron.memory.buffer, at >>> 0, bytes)));
  const start = async () => {
    const host = { now: () => performance.now(), progress: hear };
    nimatron = (await WebAssembly.instantiate(compiled, { host })).exports;
  };
  await start();

  const answer = (question) => {
    if (!nimatron) throw new Error('the engine stopped at a question before; load it again');
    const bytes = new TextEncoder().encode(question);
    try {
      const room = nimatron.nimatron_room(bytes.length) >>> 0;
      new Uint8Array(nimatron.memory.buffer, room, bytes.length).set(bytes);
      const status = nimatron.nimatron_ask(seconds, megabytes);
      const at = nimatron.nimatron_answer() >>> 0;
      const body = new TextDecoder().decode(new Uint8Array(nimatron.memory.buffer, at, nimatron.nimatron_answer_bytes()));
      return { status, body };
    } catch (error) {
      // After a trap the module's memory is not to be trusted.
      nimatron = undefined;
      throw error;
    }
  };

  const ask = (request) => {
    const { status, body } = answer(stringify(request));
    const found = parse(body);
    if (found !== null && typeof found === 'object' && found.error) throw new NimatronError(found.error, status);
    return found;
  };

  return { answer, ask };
}
