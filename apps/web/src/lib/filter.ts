/** Which positions of a list are shown: `a=0 b>2`, `a<=c`, or a total. */
import type { Count } from './words.ts';

type Test = (position: readonly Count[]) => boolean;

const COMPARE: Record<string, (a: bigint, b: bigint) => boolean> = {
  '=': (a, b) => a === b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

/** The terms of a filter as one test, and those that cannot be read. */
export function readFilter(text: string, names: readonly string[]): { shows: Test; unread: string[] } {
  const tests: Test[] = [];
  const unread: string[] = [];
  const side = (word: string): ((position: readonly Count[]) => bigint) | undefined => {
    if (/^\d{1,19}$/.test(word)) return () => BigInt(word);
    const i = names.indexOf(word);
    return i < 0 ? undefined : (position) => BigInt(position[i] ?? 0);
  };
  for (const term of text.replace(/\s*([<>]=?|=)\s*/g, '$1').split(/[\s,]+/).filter((part) => part)) {
    const [, left = '', sign = '', right = ''] = /^(\w+)([<>]=?|=)(\w+)$/.exec(term) ?? [];
    const [a, b] = [side(left), side(right)];
    if (/^\d{1,19}$/.test(term)) tests.push((position) => position.reduce<bigint>((sum, height) => sum + BigInt(height), 0n) === BigInt(term));
    else if (a && b) tests.push((position) => COMPARE[sign]!(a(position), b(position)));
    else unread.push(term);
  }
  return { shows: (position) => tests.every((test) => test(position)), unread };
}
