/**
 * The worker: a WebAssembly module with a plain interface, made by apps/wasm. Text goes in and out through
 * its memory; the module borrows the clock and tells progress.
 */
import type { FromWorker, ToWorker } from './wasm.ts';

interface Nimatron {
  memory: WebAssembly.Memory;
  /** Room for a text of this many bytes. */
  nimatron_room(bytes: number): number;
  /** Answers the request in the room; gives the exit status. */
  nimatron_ask(bytes: number): number;
  nimatron_answer(): number;
  nimatron_answer_bytes(): number;
}

/* It lies beside this script: a static site has it, `nimatron serve` does not need it. */
const wasm = new URL('./nimatron.wasm', self.location.href);

const say = (message: FromWorker) => postMessage(message);
let current = 0;

const module = start();

async function start(): Promise<Nimatron> {
  const imports = {
    host: {
      now: () => performance.now(),
      progress: (at: number, bytes: number) => {
        const text = new TextDecoder().decode(new Uint8Array(nimatron!.memory.buffer, at, bytes));
        say({ id: current, progress: text });
      },
    },
  };
  const { instance } = await WebAssembly.instantiateStreaming(fetch(wasm), imports);
  nimatron = instance.exports as unknown as Nimatron;
  return nimatron;
}

let nimatron: Nimatron | undefined;

onmessage = async ({ data: { id, request } }: MessageEvent<ToWorker>) => {
  current = id;
  try {
    const { memory, nimatron_room, nimatron_ask, nimatron_answer, nimatron_answer_bytes } = await module;
    const bytes = new TextEncoder().encode(request);
    const room = nimatron_room(bytes.length);
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const status = nimatron_ask(bytes.length);
    const answer = new Uint8Array(memory.buffer, nimatron_answer(), nimatron_answer_bytes());
    say({ id, status, body: new TextDecoder().decode(answer) });
  } catch (error) {
    const memory = error instanceof WebAssembly.RuntimeError;
    say({ id, trap: memory ? 'This question used up the memory of the page.' : `The engine could not be loaded: ${String(error)}` });
  }
};
