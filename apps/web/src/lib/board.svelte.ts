/** What a board needs to know of a game: its sets and how it is best drawn. Asked for, not computed. */
import { askOnce } from '../engine/engine.ts';
import type { GameInfo } from '../engine/types.ts';
import { arc, around } from './sets.ts';
import { letter } from './words.ts';

export interface BoardGame {
  info: GameInfo;
  stacks: number;
  /** The maximal sets, stacks counted from 0; none if there are too many to draw. */
  sets: number[][];
  /** Whether any amounts may be taken from the stacks of one set. */
  anyAmounts: boolean;
  /** Whether the sets go round a circle. */
  circular: boolean;
  /** How it is drawn if nobody says otherwise. */
  shape: 'ring' | 'columns' | 'figure';
}

const MOST_SETS = 200;

export async function boardGame(game: string): Promise<BoardGame> {
  const info = await askOnce<GameInfo>({ ask: 'game', game });
  const sets: number[][] = [];
  let first = 0;
  for (const summand of info.summands) {
    if ((summand.sets?.length ?? Infinity) <= MOST_SETS) {
      for (const set of summand.sets ?? []) sets.push(set.map((stack) => first + stack - 1));
    }
    first += summand.stacks;
  }
  const n = info.stacks;
  const arcs = sets.map((set) => arc(set, n));
  const wraps = arcs.some(({ start, length }) => start + length > n);
  const circular = info.summands.length === 1 && n >= 3 && n <= 16 && arcs.length > 0 && arcs.every(({ full }) => full) && wraps;
  if (circular) sets.sort((a, b) => arc(a, n).start - arc(b, n).start);
  // The drawing module has figures of its own for these.
  const own = /^(misere )?(Matrix|Cube|Graph)\(/.test(info.game) && info.summands.length === 1;
  const shape = own ? 'figure' : circular ? 'ring' : 'columns';
  return { info, stacks: n, sets, anyAmounts: info.summands.every((summand) => summand.set_nim), circular, shape };
}

/** The name of a set, in the order in which it lies on the circle. */
export function setName(set: readonly number[], game: BoardGame): string {
  const members = game.circular ? around(arc(set, game.stacks), game.stacks) : [...set];
  return members.map((i) => letter(i, game.stacks)).join(game.stacks > 26 ? ' ' : '');
}

/** A position to begin with, for a game that is entered without one. */
export function firstPosition(stacks: number): bigint[] {
  const pattern = [3n, 5n, 4n, 2n, 1n, 6n, 3n, 4n, 2n, 5n];
  return Array.from({ length: stacks }, (_, i) => pattern[i % pattern.length] ?? 3n);
}

/** The heights that are typed or stand in an address; `undefined` if this is not a list of heights. */
export function readHeights(text: string): bigint[] | undefined {
  const parts = text.replace(/[()]/g, ' ').split(/[\s,]+/).filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => /^\d{1,19}$/.test(part)) ? parts.map(BigInt) : undefined;
}
