/** The moves that led from the position entered to the one on the board, in the score's notation. */
import type { Outcome } from '../engine/types.ts';
import { letter } from './words.ts';

export interface Move {
  text: string;
  to: readonly bigint[];
  leaves: Outcome | 'unknown';
}

const same = (a: readonly bigint[], b: readonly bigint[]): boolean => a.length === b.length && a.every((height, i) => height === b[i]);

class Trail {
  #game = '';
  start = $state.raw<readonly bigint[]>([]);
  moves = $state.raw<readonly Move[]>([]);
  /** How many of the moves lead to the position on the board: those after it were taken back. */
  at = $state(0);

  /** A position is on the board: one of this trail, or the start of a new one. */
  show(game: string, position: readonly bigint[]): void {
    const known = game === this.#game;
    // Going back and forth along a trail is undo and redo.
    const near = [this.at, this.at + 1, this.at - 1, ...this.moves.keys(), this.moves.length];
    const place = known ? near.find((i) => i >= 0 && i <= this.moves.length && same(this.position(i), position)) : undefined;
    if (place !== undefined) {
      this.at = place;
      return;
    }
    this.#game = game;
    this.start = position;
    this.moves = [];
    this.at = 0;
  }

  /** A move is played from the position on the board. */
  play(take: readonly bigint[], to: readonly bigint[], leaves: Outcome | 'unknown'): void {
    const text = take.flatMap((amount, i) => (amount > 0n ? [`${letter(i, take.length)}${amount}`] : [])).join(' ');
    this.moves = [...this.moves.slice(0, this.at), { text, to, leaves }];
    this.at = this.moves.length;
  }

  /** The position after so many moves. */
  position(moves: number): readonly bigint[] {
    return moves === 0 ? this.start : (this.moves[moves - 1]?.to ?? []);
  }
}

export const trail = new Trail();
