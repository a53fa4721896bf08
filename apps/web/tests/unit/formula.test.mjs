import assert from 'node:assert/strict';
import { test } from 'vitest';
import { reading, typeset } from '../../src/lib/formula.ts';
import { prose } from '../../src/lib/reasons.ts';

const italics = (pieces) => pieces.filter(({ style }) => style === 'it').map(({ text }) => text);
const whole = (pieces) => pieces.map(({ text }) => text).join('');

test('a sentence has its sets in italics, and a stack and its height on one line', () => {
  assert.deepEqual(italics(prose('subtract bdgj once; what is left lies in ghij: take it')), ['bdgj', 'ghij']);
  assert.deepEqual(italics(prose('2 times the circuit cf; g holds 1')), ['cf', 'g']);
  assert.equal(whole(prose('c = 2, but g+f = 6')), 'c\u00a0=\u00a02, but g+f\u00a0=\u00a06');
});

test('stacks are set in italics, words are not', () => {
  assert.deepEqual(italics(typeset('a = min(b, c+d), xor(a,x12) <= 3')), ['a', 'b', 'c', 'd', 'a', 'x12']);
  assert.equal(whole(typeset('a <= b-c')), 'a ≤ b−c');
});

test('sym is said in words if it is around the whole', () => {
  assert.equal(reading('sym(a = 0, (b = c))').symmetric, true);
  assert.equal(reading('sym(a = 0) or sym(b = 0)').symmetric, false);
});

test('in prose, the article is no stack', () => {
  assert.deepEqual(italics(prose('there is a move on a set; a goes from 1 to 0')), ['a']);
  assert.deepEqual(italics(prose('c = 2, but g+f = 6')), ['c', 'g', 'f']);
  assert.deepEqual(italics(prose('read from b, backwards: b = 0, a+g = 2 = c')), ['b', 'a', 'g', 'c']);
});
