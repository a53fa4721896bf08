/** Questions of every kind about games of every kind, the same ones every time. */
import { readFileSync } from 'node:fs';

/** Games with their numbers of stacks: theorems, open games, sums, slow games, other names of the same games. */
const GAMES = [
  ['Nim(3)', 3], ['CN(3,1)', 3], ['Moore(3,1)', 3], ['Set(a,b,c)', 3], ['PN(3,2)', 3], ['Set(ab,bc)', 3], ['CN(3,2)', 3],
  ['CN(4,2)', 4], ['Set(ab,bc,cd,ad)', 4], ['PN(4,2)', 4], ['CN(5,2)', 5], ['CN(5,3)', 5], ['CN(5,4)', 5], ['PN(5,3)', 5],
  ['CN(6,2)', 6], ['CN(6,3)', 6], ['CN(6,4)', 6], ['H', 6], ['CN(7,3)', 7], ['Set(abc,bcd,cde,def,efg,afg,abg)', 7], ['CN(4,3)', 4], ['Moore(4,3)', 4], ['CN(7,4)', 7], ['CN(8,3)', 8], ['CN(8,6)', 8],
  ['CN(9,4)', 9], ['CN(12,5)', 12], ['NN(9,4,3)', 9], ['Moore(5,2)', 5], ['Slow(4,{3})', 4],
  ['Slow(5,{1,3})', 5], ['Set(ad,abc,bcd)', 4], ['misere Nim(3)', 3], ['misere CN(4,2)', 4], ['PN(3,2) + Nim(1)', 4],
  ['CN(4,2) + Nim(2)', 6], ['misere Slow(4,{3})', 4],
];

/** A small generator (xorshift), so that nobody's clock or library changes the list. */
function generator(seed) {
  let state = BigInt(seed);
  return (below) => {
    state ^= (state << 13n) & 0xffffffffffffffffn;
    state ^= state >> 7n;
    state ^= (state << 17n) & 0xffffffffffffffffn;
    return Number(state % BigInt(below));
  };
}

function* made(random) {
  const heights = (stacks, below) => Array.from({ length: stacks }, () => (random(4) === 0 ? 0 : random(below)));
  for (;;) {
    const [game, stacks] = GAMES[random(GAMES.length)];
    const known = !/CN\(6,2\)|misere CN|\+|Moore\(5/.test(game);
    const position = heights(stacks, known && random(4) === 0 ? 1000000 : 5);
    const small = heights(stacks, 4);
    switch (random(16)) {
      case 0: case 1: case 2: case 3: yield { ask: 'solve', game, position }; break;
      case 4: case 5: yield { ask: 'solve', game, position: small, all_moves: true, limit: 5 + random(20) }; break;
      case 6: yield { ask: 'moves', game, position: small, limit: 1 + random(30) }; break;
      case 7: yield { ask: 'reduce', game, position, ...(random(2) && !game.includes('+') ? { invariance: true } : {}) }; break;
      case 8: yield { ask: 'game', game }; break;
      case 9: yield { ask: 'hint', game, position: small, step: 1 + random(4) }; break;
      case 10: yield { ask: 'play', game, position: small, seed: random(1000), first: random(2) ? 'you' : 'machine' }; break;
      case 11: yield { ask: 'slice', game, position: small, x: 'a', y: 'b', max: 1 + random(5), of: ['outcomes', 'grundy', 'remoteness'][random(3)] }; break;
      case 12: yield { ask: 'table', game, max: 1 + random(stacks > 7 ? 1 : 2), limit: random(10), orbits: random(2) === 0 && !game.includes('+') }; break;
      case 13: yield { ask: 'draw', game, position: small, pen: ['json', 'svg', 'tikz'][random(3)] }; break;
      case 14: yield { ask: ['cheatsheet', 'subgames', 'circuits', 'theorems', 'atlas'][random(5)], game }; break;
      default: yield { ask: 'check', game, formula: ['a = b', 'even(total)', 'a xor b = 0'][random(3)], max: 1 + random(2) };
    }
  }
}

/** So many questions: those of the corpus that end by themselves, and made ones; some of them make no sense. */
export function questions(count) {
  const corpus = readFileSync(new URL('../../../../corpus/protocol/questions.jsonl', import.meta.url), 'utf8').trim().split('\n');
  // What a clock or the memory of the machine decides is not compared.
  const settled = corpus.filter((question) => !/"time":"\d+ms"|"memory":"1MB"|CN\(12,5\)","max":\d{4}|"max":4000/.test(question));
  const random = generator(20260917);
  const more = made(random);
  const all = [...settled];
  while (all.length < count) all.push(JSON.stringify(more.next().value));
  return all.slice(0, count);
}

/** An answer without what its host measured: times, the memory of the process, and how far a comparison came in its time. */
export const timeless = (body) =>
  body.replace(/"(seconds|check_seconds|seconds_found|seconds_accepted)":[\d.e-]+/g, '"$1":0').replace(/"(peak_memory|checked_up_to)":\d+/g, '"$1":null');
