/** A plain web host on this machine, for the static site: files of a folder, compressed, with their types. */
import { createServer } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { extname, join, relative, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/** Serves a folder under a path, as a project's page is on many hosts; compressed well only where that is measured. */
export async function host(folder, quality = 3, path = '/nimatron/') {
  const files = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const place = join(entry.parentPath, entry.name);
    const raw = readFileSync(place);
    const small = extname(place) === '.woff2';
    const bytes = small ? raw : brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length } });
    files.set(path + relative(folder, place).split(sep).join('/'), { bytes, type: TYPES[extname(place)] ?? 'application/octet-stream', encoding: small ? undefined : 'br' });
  }
  files.set(path, files.get(`${path}index.html`));
  const sent = { bytes: 0, files: [] };
  const server = createServer((request, reply) => {
    const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const file = files.get(name);
    if (!file) return void reply.writeHead(404).end();
    sent.bytes += file.bytes.length;
    sent.files.push([name, file.bytes.length]);
    reply.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length, 'cache-control': 'no-cache', ...(file.encoding ? { 'content-encoding': file.encoding } : {}) });
    reply.end(file.bytes);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}${path}`,
    sent,
    close: () => new Promise((done) => (server.closeAllConnections(), server.close(done))),
  };
}
