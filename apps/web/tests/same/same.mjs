/**
 * The command line, the server and the WebAssembly module give the same answers, byte for byte but for the times and the memory they
 * took: `node tests/same/same.mjs PROGRAM [COUNT]`.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { load } from '../../npm/index.js';
import { questions, timeless } from './questions.mjs';

const [program = '../../target/release/nimatron', count = '1000'] = process.argv.slice(2);
const asked = questions(Number(count));

const line = spawnSync(program, ['ask', '--quiet'], { input: asked.join('\n') + '\n', encoding: 'utf8', maxBuffer: 1 << 30 });
const typed = line.stdout.trimEnd().split('\n');
assert.equal(typed.length, asked.length, `the command line gave ${typed.length} answers: ${line.stderr.slice(0, 500)}`);

const server = spawn(program, ['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const [first] = await once(server.stdout, 'data');
const base = /http:\/\/[\w.:]+/.exec(String(first))[0].replace('localhost', '127.0.0.1');
const served = [];
try {
  for (const question of asked) {
    const reply = await fetch(`${base}/api`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: question });
    served.push([Number(reply.headers.get('x-nimatron-status')), await reply.text()]);
  }
} finally {
  server.kill();
}

const nimatron = await load({ seconds: 60, megabytes: 1000 });
let differences = 0;
const kinds = new Map();
asked.forEach((question, i) => {
  const [status, body] = served[i];
  const page = nimatron.answer(question);
  const told = [typed[i], body, page.body].map(timeless);
  if (new Set(told).size > 1 || status !== page.status) {
    differences += 1;
    if (differences <= 5) console.error([question, ...told.map((text) => text.slice(0, 600)), `status ${status}, ${page.status}`].join('\n'), '\n');
  }
  const kind = JSON.parse(question).ask;
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
});
assert.equal(differences, 0, `${differences} of ${asked.length} answers differ`);
console.log(`${asked.length} questions of ${kinds.size} kinds: command line, server and WebAssembly agree`);
