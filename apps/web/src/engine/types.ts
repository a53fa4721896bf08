/** What is asked and answered: the JSON of the program, as docs/cli.md and docs/protocol.md describe it. */
import type { Count } from '../lib/words.ts';

export type Outcome = 'P' | 'N';

export interface Stopped {
  kind: string;
  text: string;
}

/** Bad input: what is wrong and where. */
export interface Problem {
  kind: string;
  message: string;
  span: [number, number] | null;
  hint: string | null;
}

export interface Move {
  take: Count[];
  to: Count[];
  to_outcome: Outcome | 'unknown';
  winning: boolean;
  grundy?: Count | null;
  remoteness?: number | null;
}

export interface Fact {
  kind: string;
  text: string;
  left?: string[];
  right?: string[];
  left_sum?: Count;
  right_sum?: Count;
  stacks?: string[];
  from?: Count;
  to?: Count;
}

export interface Step {
  step: string;
  text: string;
  game?: string;
  position?: Count[];
  letters?: string[];
  stacks?: number[][];
  members?: number[][];
  subtracted?: { vector: string[]; stacks: number[][]; times: Count }[];
  empty?: string[];
  merged?: string[][];
  by?: string;
  theorem?: { name: string; source: string };
  outcome?: Outcome;
  facts?: Fact[];
  construction?: Fact[];
  take?: Count[];
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
  explanation: Step[];
  limit: Stopped | null;
  open: { game: string; said_by: string | null; obstacles: { game: string }[] } | null;
  conjecture?: { statement: string; outcome: Outcome; move: { take: Count[]; to: Count[] } | null };
  tries?: { take: Count[]; to: Count[]; reply: { take: Count[]; to: Count[] } | null }[];
}

export interface After {
  legal: boolean;
  take: Count[];
  to: Count[];
  wins: boolean | null;
  reply: { take: Count[]; to: Count[] } | null;
  then: Solve;
}

export interface Moves {
  moves: Move[];
  total: Count | null;
  truncated: boolean;
  limit: Stopped | null;
}

export interface GameInfo {
  game: string;
  stacks: number;
  misere: boolean;
  summands: {
    stacks: number;
    set_nim: boolean;
    set_count: Count;
    sets: number[][] | null;
    symmetries: string;
  }[];
  reduced: string;
  known: boolean;
  open: boolean;
  open_by: string | null;
  theorems: { name: string; source: string }[];
}

/** The answer to a request: the exit status of the command line and the object that it prints. */
export interface Answer<T> {
  status: number;
  body: T;
}

export interface Progress {
  text: string;
}
