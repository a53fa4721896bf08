/**
 * The files of the atlas without compression: the module is compressed as a whole before it is sent, which does better. Each
 * certificate stays a gzip member of its own, stored as it is. `node atlas.mjs FOLDER`
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

const [folder] = process.argv.slice(2);
const atlas = new URL('../../crates/nimatron/atlas/', import.meta.url);
const packed = readFileSync(new URL('certificates.jsonl.gz', atlas));
const members = [];
let length = 0;
const lines = readFileSync(new URL('atlas.jsonl', atlas), 'utf8').replace(/"offset":(\d+),"length":(\d+)/g, (_, offset, bytes) => {
  const member = gzipSync(gunzipSync(packed.subarray(Number(offset), Number(offset) + Number(bytes))), { level: 0 });
  const place = `"offset":${length},"length":${member.length}`;
  members.push(member);
  length += member.length;
  return place;
});
if (members.length === 0) throw new Error('the atlas has no certificates');
mkdirSync(folder, { recursive: true });
// What is there already stays as it is, so that Cargo does not build the engine anew.
for (const [name, bytes] of [['atlas.jsonl', Buffer.from(lines)], ['certificates.jsonl.gz', Buffer.concat(members)]]) {
  const path = `${folder}/${name}`;
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
}
