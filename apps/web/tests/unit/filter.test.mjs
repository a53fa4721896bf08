import assert from 'node:assert/strict';
import { test } from 'vitest';
import { readFilter } from '../../src/lib/filter.ts';

const NAMES = ['a', 'b', 'c'];
const LIST = [[0, 1, 2], [1, 1, 3], [2, 0, 2], [1, 4, 1]];
const shown = (text) => LIST.filter(readFilter(text, NAMES).shows).map((position) => position.join(''));

test('a filter compares stacks with numbers and with stacks, with or without spaces', () => {
  assert.deepEqual(shown('a = 1'), ['113', '141']);
  assert.deepEqual(shown('a<=1, c >= 2'), ['012', '113']);
  assert.deepEqual(shown('a=c'), ['202', '141']);
  assert.deepEqual(shown('a=b c>2'), ['113']);
  assert.deepEqual(shown('2<b'), ['141']);
  assert.deepEqual(shown('4'), ['202']);
  assert.deepEqual(shown(' '), LIST.map((position) => position.join('')));
});

test('what cannot be read is told', () => {
  assert.deepEqual(readFilter('a=1 d=2, b+c=3', NAMES).unread, ['d=2', 'b+c=3']);
});
