import { parse, stringify } from '../lib/json.ts';
import type { AskOptions, Engine, Request } from './engine.ts';
import type { Answer, Progress } from './types.ts';

/** What the worker is told, and what it tells. */
export type ToWorker = { id: number; request: string };
export type FromWorker =
  | { id: number; progress: string }
  | { id: number; status: number; body: string }
  | { id: number; trap: string };

interface Waiting {
  resolve: (answer: Answer<unknown>) => void;
  reject: (error: unknown) => void;
  progress: ((progress: Progress) => void) | undefined;
}


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

/** One worker and the question it is busy with. */
class Bench {
  readonly #worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'nimatron' });
  #waiting: Waiting | undefined;
  #next = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    this.#worker.onerror = (event) => this.#waiting?.reject(new Error(event.message || 'the engine could not be loaded'));
  }

  get busy(): boolean {
    return this.#waiting !== undefined;
  }

  ask(request: string, progress: ((progress: Progress) => void) | undefined): Promise<Answer<unknown>> {
    return new Promise<Answer<unknown>>((resolve, reject) => {
      this.#next += 1;
      this.#waiting = { resolve, reject, progress };
      this.#worker.postMessage({ id: this.#next, request } satisfies ToWorker);
    }).finally(() => (this.#waiting = undefined));
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

