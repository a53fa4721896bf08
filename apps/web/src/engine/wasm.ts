import { parse, stringify } from '../lib/json.ts';
import type { AskOptions, Engine, Request } from './engine.ts';
import type { Answer, Progress } from './types.ts';

/** What the worker is told, and what it tells. */
export type ToWorker = { module: WebAssembly.Module } | { id: number; request: string; seconds: number; megabytes: number };
export type FromWorker =
  | { id: number; progress: string }
  | { id: number; status: number; body: string }
  | { id: number; trap: string };

interface Waiting {
  resolve: (answer: Answer<unknown>) => void;
  reject: (error: unknown) => void;
  progress: ((progress: Progress) => void) | undefined;
}

/** No question takes longer or more: as the server has it. The module itself ends at 2 GiB. */
const SECONDS = 60;
const MEGABYTES = 1000;
/** A question that does not look at its clock is ended from outside. */
const GRACE = 10;

/**
 * The engine inside the page. Each question runs in a worker; a question that is given up ends its worker,
 * and a trap (memory used up, say) loses that worker only. Two workers are kept, so that a move is answered
 * while a proof is looked for.
 */
export class WasmEngine implements Engine {
  readonly kind = 'wasm';
  #idle: Bench[] = [];

  constructor() {
    this.#idle.push(new Bench());
  }

  async ask(request: Request, { signal, progress }: AskOptions = {}): Promise<Answer<unknown>> {
    signal?.throwIfAborted();
    const bench = this.#idle.find((one) => !one.busy) ?? new Bench();
    if (!this.#idle.includes(bench)) this.#idle.push(bench);
    const stop = () => this.#end(bench);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await bench.ask(stringify(request), progress);
    } catch (error) {
      this.#end(bench);
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      const spare = this.#idle.filter((one) => !one.busy);
      spare.slice(2).forEach((one) => this.#end(one));
    }
  }

  #end(bench: Bench): void {
    this.#idle = this.#idle.filter((one) => one !== bench);
    bench.end();
    if (this.#idle.length === 0) this.#idle.push(new Bench());
  }
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** The module, loaded and compiled once. It lies beside the page, or inside it where the page is one file. */
function module(): Promise<WebAssembly.Module> {
  const inside = document.getElementById('nimatron-engine')?.textContent;
  compiled ??= inside ? unpacked(inside).then((bytes) => WebAssembly.compile(bytes)) : loaded();
  return compiled;
}

async function loaded(): Promise<WebAssembly.Module> {
  const reply = await fetch('./assets/nimatron.wasm');
  if (!reply.ok) throw new Error(`its file is not there (${reply.status})`);
  // A host that does not know the type of the file is no obstacle.
  const known = reply.headers.get('content-type')?.startsWith('application/wasm');
  return known ? WebAssembly.compileStreaming(reply) : WebAssembly.compile(await reply.arrayBuffer());
}

/** Compressed bytes in base 64. */
async function unpacked(text: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

function worker(): Worker {
  const inside = document.getElementById('nimatron-worker')?.textContent;
  if (inside) return new Worker(URL.createObjectURL(new Blob([inside], { type: 'text/javascript' })), { name: 'nimatron' });
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'nimatron' });
}

/** One worker and the question it is busy with. */
class Bench {
  readonly #worker = worker();
  #waiting: Waiting | undefined;
  #next = 0;
  #ready: Promise<void>;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    this.#worker.onerror = (event) => this.#waiting?.reject(new Error(event.message || 'the engine could not be loaded'));
    this.#ready = module().then(
      (module) => this.#worker.postMessage({ module } satisfies ToWorker),
      (error: unknown) => {
        throw new Error(`The engine could not be loaded: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
    // Whoever asks hears of a failure.
    this.#ready.catch(() => undefined);
  }

  get busy(): boolean {
    return this.#waiting !== undefined;
  }

  ask(request: string, progress: ((progress: Progress) => void) | undefined): Promise<Answer<unknown>> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    return new Promise<Answer<unknown>>((resolve, reject) => {
      this.#next += 1;
      const id = this.#next;
      this.#waiting = { resolve, reject, progress };
      this.#ready.then(() => {
        timer = setTimeout(() => reject(new Error('This question took too long.')), 1000 * (SECONDS + GRACE));
        this.#worker.postMessage({ id, request, seconds: SECONDS, megabytes: MEGABYTES } satisfies ToWorker);
      }, reject);
    }).finally(() => {
      clearTimeout(timer);
      this.#waiting = undefined;
    });
  }

  end(): void {
    this.#worker.terminate();
    this.#waiting?.reject(new DOMException('stopped', 'AbortError'));
  }

  #hear(message: FromWorker): void {
    if (message.id !== this.#next) return;
    if ('progress' in message) this.#waiting?.progress?.({ text: message.progress });
    else if ('trap' in message) this.#waiting?.reject(new Error(message.trap));
    else this.#waiting?.resolve({ status: message.status, body: parse(message.body) });
  }
}
