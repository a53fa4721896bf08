/** How heights, stacks and numbers are written. */

/** A height, exact up to 2^63 - 1. Positions on the page are arrays of these. */
export type Height = bigint;

/** A number of an answer: a `bigint` where it does not fit a JavaScript number. */
export type Count = number | bigint;

export const heights = (numbers: readonly Count[]): Height[] => numbers.map((number) => BigInt(number));

/** The name of stack `i`, counted from 0: letters, and from 27 stacks on x1, x2, ... */
export const letter = (i: number, stacks: number): string =>
  stacks <= 26 ? String.fromCharCode(97 + i) : `x${i + 1}`;

export const letters = (stacks: number): string[] => Array.from({ length: stacks }, (_, i) => letter(i, stacks));

const THIN = '\u200a';

export const vector = (numbers: readonly Count[]): string => `(${numbers.join(`,${THIN}`)})`;

/** `CN(7,3)` with a hair space after its commas. */
export const gameName = (game: string): string => game.replaceAll(',', `,${THIN}`);

export const grouped = (number: Count): string => number.toLocaleString('en');

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** Small numbers as words, as in a sentence. */
export const inWords = (number: Count): string => WORDS[Number(number)] ?? grouped(number);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const plural = (number: Count, one: string, many = `${one}s`): string => (Number(number) === 1 ? one : many);

/** `a, b and c` */
export const list = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** Milliseconds or seconds, in few digits. */
export const duration = (seconds: number): string =>
  seconds < 0.0095 ? `${(seconds * 1000).toFixed(1)} ms` : seconds < 1 ? `${(seconds * 1000).toFixed(0)} ms` : `${seconds.toFixed(1)} s`;

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A number where there is little room: `9.2·10¹⁸`; the whole of it stands elsewhere on the page. */
export function brief(number: bigint): string {
  const digits = String(number);
  if (digits.length <= 6) return digits;
  const exponent = [...String(digits.length - 1)].map((digit) => RAISED[Number(digit)]).join('');
  return `${digits[0]}.${digits[1]}·10${exponent}`;
}
