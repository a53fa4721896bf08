import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parse, stringify } from '../../src/lib/json.ts';

test('whole numbers of any size survive', () => {
  const text = '{"position":[9223372036854775807,0,12,-3],"x":1.5e3,"s":"a\\n\\u00e9\\"","n":null,"b":[true,false]}';
  const value = parse(text);
  assert.deepEqual(value.position, [9223372036854775807n, 0, 12, -3]);
  assert.equal(value.x, 1500);
  assert.equal(value.s, 'a\né"');
  assert.equal(stringify({ position: value.position }), '{"position":[9223372036854775807,0,12,-3]}');
});

test('what is no JSON is refused', () => {
  for (const text of ['', '{', '[1,]', '{"a":}', '01', 'nul', '"a', '[1] 2', "{'a':1}"]) assert.throws(() => parse(text), SyntaxError, text);
});

test('the same as JSON.parse where that is exact', () => {
  for (const text of ['[]', '{}', ' [ 1 , {"a" : "__proto__" } ] ', '{"__proto__":1}', '-0.5', '"\\\\"']) {
    assert.deepEqual(parse(text), JSON.parse(text), text);
  }
});
