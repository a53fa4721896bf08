/**
 * Whoever answers. The page asks one engine: the WebAssembly module in a worker, or the server that sent
 * the page. Both speak the same protocol; the page knows no rules and decides nothing.
 */
import type { Answer, Problem, Progress } from './types.ts';
import { HttpEngine, serverIsThere } from './http.ts';
import { WasmEngine } from './wasm.ts';

export type Request = { ask: string } & Record<string, unknown>;

export interface AskOptions {
  signal?: AbortSignal | undefined;
  progress?: ((progress: Progress) => void) | undefined;
}

export interface Engine {
  readonly kind: 'wasm' | 'server';
  ask(request: Request, options?: AskOptions): Promise<Answer<unknown>>;
}

/** What the program says about input it cannot read. */
export class InputError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.name = 'InputError';
    this.problem = problem;
  }
}

/** What went wrong, as it is told to the reader. */
export const told = (error: unknown): string => (error instanceof Error ? error.message : String(error));

let chosen: Promise<Engine> | undefined;

/**
 * The server's engine where there is one, else the page's own; `?engine=wasm` asks for the latter. A page that was
 * built with its engine says so, and asks nobody.
 */
export function engine(): Promise<Engine> {
  chosen ??= choose();
  return chosen;
}

async function choose(): Promise<Engine> {
  const asked = new URLSearchParams(location.search).get('engine');
  const own = document.querySelector<HTMLMetaElement>('meta[name=nimatron-engine]')?.content;
  if (asked === 'wasm' || (own === 'wasm' && asked !== 'server')) return new WasmEngine();
  if (asked === 'server' || (await serverIsThere())) return new HttpEngine();
  return new WasmEngine();
}

/** Asks; bad input and failures are errors, "not decided" is an answer. */
export async function ask<T>(request: Request, options: AskOptions = {}): Promise<T> {
  const { status, body } = await (await engine()).ask(request, options);
  options.signal?.throwIfAborted();
  if (status === 2 || (body as { error?: Problem }).error) throw new InputError((body as { error: Problem }).error);
  return body as T;
}

/** Questions that were answered before, so that going back is immediate. */
const answers = new Map<string, Promise<unknown>>();
const KEPT = 500;

/** As `ask`, for short questions whose answer never changes. */
export function askOnce<T>(request: Request): Promise<T> {
  const key = JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  let answer = answers.get(key) as Promise<T> | undefined;
  if (!answer) {
    answer = ask<T>(request);
    answer.catch(() => answers.delete(key));
    if (answers.size >= KEPT) answers.delete(answers.keys().next().value as string);
    answers.set(key, answer);
  }
  return answer;
}
