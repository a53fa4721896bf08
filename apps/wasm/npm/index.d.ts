/** One number for each stack; heights above 2^53 are bigints. */
export type Count = number | bigint;
export type Heights = readonly Count[] | string;

/** A question: docs/protocol.md lists all of them, docs/requests.schema.json is their schema. */
export type Request =
  | { ask: 'solve'; game: string; position: Heights; all_moves?: boolean; limit?: number; after?: Heights; time?: string; memory?: string }
  | { ask: 'moves'; game: string; position: Heights; limit?: number; skip?: number; time?: string; memory?: string }
  | { ask: 'game'; game: string }
  | { ask: 'reduce'; game: string; position?: Heights; cone?: boolean; invariance?: boolean; vectors?: string }
  | { ask: 'table'; game: string; max: Count | Heights; orbits?: boolean; limit?: number | 'all'; [more: string]: unknown }
  | { ask: 'check'; game: string; formula: string; max?: Count | Heights; [more: string]: unknown }
  | { ask: 'prove'; game: string; formula?: string; certificate?: boolean; [more: string]: unknown }
  | { ask: 'discover'; game: string; certificate?: boolean; [more: string]: unknown }
  | { ask: 'draw'; game: string; position?: Heights; pen?: 'json' | 'svg' | 'tikz' | 'standalone'; [more: string]: unknown }
  | {
      ask:
        | 'atlas' | 'cheatsheet' | 'circuits' | 'compare' | 'conjecture' | 'graph' | 'grid' | 'growth' | 'guess' | 'hint'
        | 'invariants' | 'lessons' | 'play' | 'puzzle' | 'review' | 'slice' | 'subgames' | 'theorems' | 'verify';
      [more: string]: unknown;
    };

export type Outcome = 'P' | 'N';

export interface Move {
  take: Count[];
  to: Count[];
  to_outcome: Outcome | 'unknown';
  winning: boolean;
}

export interface Solve {
  game: string;
  position: Count[];
  outcome: Outcome | 'unknown';
  grundy: Count | null;
  by: { kind: string; name: string; source: string | null } | null;
  moves: Move[];
  moves_total: Count | null;
  truncated: boolean;
  explanation: { step: string; text: string; [more: string]: unknown }[];
  limit: { kind: string; text: string } | null;
  [more: string]: unknown;
}

/** An answer that there is none: what cannot be read, and where. */
export class NimatronError extends Error {
  readonly kind: string;
  readonly span: [number, number] | null;
  readonly hint: string | null;
  /** The exit status of the command line. */
  readonly status: number;
}

export interface Options {
  /** The module, its bytes, or where it lies; beside this file if not given. */
  module?: WebAssembly.Module | ArrayBuffer | ArrayBufferView | URL | string;
  /** No question takes longer; 0 for no limit. */
  seconds?: number;
  /** No question uses more memory; 0 for no limit. The module itself ends at 2 GiB. */
  megabytes?: number;
  /** Hears in words how far the work is. */
  progress?: (text: string) => void;
}

export interface Nimatron {
  /** The answer as text: the JSON of the command line, byte for byte, and its exit status. */
  answer(question: string): { status: number; body: string };
  /** The answer as an object. What cannot be read is a {@link NimatronError}; "not decided" is an answer. */
  ask(request: { ask: 'solve'; after?: undefined } & Extract<Request, { ask: 'solve' }>): Solve;
  ask(request: Request): Record<string, unknown>;
}

/**
 * Loads the engine. It answers on the thread that asks, one question at a time: run it in a Worker where questions may
 * take long, and end the Worker to stop it.
 */
export function load(options?: Options): Promise<Nimatron>;
