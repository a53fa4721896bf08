/**
 * The worker: a WebAssembly module with a plain interface, made by apps/wasm. Text goes in and out through
 * its memory; the module borrows the clock and tells progress. It is compiled in the page, once for all workers.
 */
import type { FromWorker, ToWorker } from './wasm.ts';

interface Nimatron {
  memory: WebAssembly.Memory;
  /** Room for a text of this many bytes. */
  nimatron_room(bytes: number): number;
  /** Answers the request in the room, within these limits; gives the exit status. */
  nimatron_ask(seconds: number, megabytes: number): number;
  nimatron_answer(): number;
  nimatron_answer_bytes(): number;
}

const say = (message: FromWorker) => postMessage(message);
let current = 0;
let nimatron: Nimatron | undefined;

async function start(module: WebAssembly.Module): Promise<Nimatron> {
  const instance = await WebAssembly.instantiate(module, {
    host: {
      now: () => performance.now(),
      progress: (at: number, bytes: number) => {
        if (!nimatron) return;
        const text = new TextDecoder().decode(new Uint8Array(nimatron.memory.buffer, at, bytes));
        say({ id: current, progress: text });
      },
    },
  });
  nimatron = instance.exports as unknown as Nimatron;
  return nimatron;
}

let engine: Promise<Nimatron> | undefined;

onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ('module' in data) {
    engine = start(data.module);
    // Whoever asks hears of a failure.
    engine.catch(() => undefined);
    return;
  }
  const { id, request, seconds, megabytes } = data;
  current = id;
  try {
    const { memory, nimatron_room, nimatron_ask, nimatron_answer, nimatron_answer_bytes } = await engine!;
    const bytes = new TextEncoder().encode(request);
    const room = nimatron_room(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const status = nimatron_ask(seconds, megabytes);
    const answer = new Uint8Array(memory.buffer, nimatron_answer() >>> 0, nimatron_answer_bytes());
    say({ id, status, body: new TextDecoder().decode(answer) });
  } catch (error) {
    const ran = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    say({ id, trap: ran ? 'This question used up the memory of the page.' : `The engine could not be started: ${String(error)}` });
  }
};
