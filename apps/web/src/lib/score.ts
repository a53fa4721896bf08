/**
 * The chain of reductions as levels: what each game holds, where its stacks come from, and how the winning
 * move looks there. Everything is read off the explanation.
 */
import type { Solve, Step } from '../engine/types.ts';
import { heights, letters } from './words.ts';

export interface Level {
  game: string;
  position: bigint[];
  /** What the stacks are called in the game asked about. */
  letters: string[];
  /** For each stack, the stacks of the level before that it stands for (counted from 0). */
  from: number[][];
  step: Step | undefined;
  /** What the next level subtracts from each stack. */
  fade: bigint[];
  /** The winning move at this level, if there is one. */
  take: bigint[] | undefined;
}

export function levels(verdict: Solve): Level[] {
  const names = letters(verdict.position.length);
  const all: Level[] = [
    {
      game: verdict.game,
      position: heights(verdict.position),
      letters: names,
      from: [],
      step: undefined,
      fade: verdict.position.map(() => 0n),
      take: undefined,
    },
  ];
  for (const step of verdict.explanation) {
    if (!step.members || !step.position || !step.letters) continue;
    const before = all.at(-1)!;
    const from = step.members.map((stacks) => stacks.map((stack) => stack - 1));
    const position = heights(step.position);
    if (step.step === 'invariance') {
      from.forEach((stacks, i) => {
        const old = stacks.reduce((sum, stack) => sum + (before.position[stack] ?? 0n), 0n);
        const stack = stacks[0];
        if (stack !== undefined) before.fade[stack] = old - (position[i] ?? 0n);
      });
    }
    all.push({ game: step.game ?? '', position, letters: step.letters, from, step, fade: position.map(() => 0n), take: undefined });
  }
  carryBack(verdict, all);
  return all;
}

/** The move goes back with the same tokens: a merged stack's tokens are those of its members. */
function carryBack(verdict: Solve, all: Level[]): void {
  const lift = verdict.explanation.findLast((step) => step.step === 'lift')?.take ?? verdict.moves[0]?.take;
  if (!lift || verdict.outcome !== 'N') return;
  all[0]!.take = heights(lift);
  for (let i = 1; i < all.length; i += 1) {
    const before = all[i - 1]!.take!;
    all[i]!.take = all[i]!.from.map((stacks) => stacks.reduce((sum, stack) => sum + (before[stack] ?? 0n), 0n));
  }
}

/** One line about the step that leads to a level. */
export function title(level: Level, before: Level): { word: string; rest: string; stacks: string } {
  const step = level.step;
  switch (step?.step) {
    case 'invariance':
      return {
        word: 'Subtract',
        rest: step.subtracted?.length === 1 ? 'the invariant vector' : 'invariant vectors',
        stacks: (step.subtracted ?? []).map(({ vector, times }) => (Number(times) === 1 ? [...vector].sort().join('') : `${[...vector].sort().join('')} × ${times}`)).join(', '),
      };
    case 'zero':
    case 'idle':
    case 'cone':
      return { word: 'Drop', rest: (step.empty ?? []).length === 1 ? 'the stack' : 'the stacks', stacks: (step.empty ?? []).join(' ') };
    case 'merge':
      return { word: 'Merge', rest: 'stacks in the same sets', stacks: (step.merged ?? []).map((group) => group.join('+')).join(', ') };
    case 'naming':
      return { word: 'Rename:', rest: 'in the order', stacks: level.letters.join('') };
    default:
      return { word: step?.step ?? '', rest: `to ${level.game}`, stacks: before.letters.length === level.letters.length ? '' : level.letters.join('') };
  }
}
