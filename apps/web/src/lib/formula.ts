/**
 * A formula of the program as it is printed in a paper: stacks in italics, signs as signs. The language has no
 * fractions, roots or stacked indices, so a line of text does what a typesetter would.
 */
import type { Sentence } from './reasons.ts';

const SIGNS: Record<string, string> = { '<=': '≤', '>=': '≥', '!=': '≠', '-': '−', '*': '·' };
const WORDS = new Set(['sym', 'span', 'min', 'max', 'xor', 'sum', 'mod', 'odd', 'even', 'odds', 'total', 'let', 'reduced', 'digits', 'then', 'or', 'and', 'not', 'if', 'play', 'to', 'true', 'false']);
const TOKEN = /\s+|<=|>=|!=|x\d+|[A-Za-z]+'?|\d+|./gy;

export function typeset(text: string): Sentence {
  const pieces: Sentence = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const word = token.replace(/'$/, '');
    if (/^\s+$/.test(token)) pieces.push({ text: ' ' });
    else if (/^[a-z]/i.test(token) && !WORDS.has(word)) pieces.push({ text: token.replace("'", '′'), style: 'it' });
    else if (token === ',') pieces.push({ text: ',' });
    else pieces.push({ text: SIGNS[token] ?? token });
  }
  return pieces;
}

/** `sym(F)` is said in words: "F, up to symmetry". */
export function reading(text: string): { body: Sentence; symmetric: boolean } {
  const whole = /^\s*sym\(([\s\S]*)\)\s*$/.exec(text);
  const inner = whole?.[1];
  if (inner !== undefined && balanced(inner)) return { body: typeset(inner), symmetric: true };
  return { body: typeset(text), symmetric: false };
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
