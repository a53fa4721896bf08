/** Puts the page and the engine together: a folder for a web host, one file, and a package for programmers. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const bytes = (path) => readFileSync(new URL(path, import.meta.url));
const place = (path) => new URL(path, import.meta.url);

/** What the page may load: itself, and nothing from anywhere else. */
const policy = (scripts, workers) =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${scripts} 'wasm-unsafe-eval'; ` +
  `style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; ` +
  `worker-src ${workers}; manifest-src 'self'; base-uri 'none'; form-action 'none'" />`;
const OWN = '<meta name="nimatron-engine" content="wasm" />';
const FIRST = '<meta charset="utf-8" />';

function replaced(text, old, by) {
  if (!text.includes(old)) throw new Error(`the page has no ${old}`);
  return text.replace(old, () => by);
}

function fresh(folder) {
  rmSync(place(folder), { recursive: true, force: true });
  mkdirSync(place(folder), { recursive: true });
}

function site() {
  fresh('site/');
  cpSync(place('dist/'), place('site/'), { recursive: true });
  cpSync(place('engine/nimatron.wasm'), place('site/assets/nimatron.wasm'));
  const early = '<link rel="preload" href="./assets/nimatron.wasm" as="fetch" type="application/wasm" crossorigin />';
  const head = [FIRST, policy("'self'", "'self'"), OWN, early].join('\n    ');
  writeFileSync(place('site/index.html'), replaced(read('dist/index.html'), FIRST, head));
}

function one() {
  fresh('one/');
  // Nothing in a script may end it.
  const inside = (text) => text.replaceAll('</script', '<\\/script');
  let css = read('dist/assets/index.css');
  css = css.replace(/url\(["']?(?:\.\/|\.\.\/assets\/)?([\w-]+\.woff2)["']?\)/g, (_, name) => {
    return `url(data:font/woff2;base64,${bytes(`dist/assets/${name}`).toString('base64')})`;
  });
  if (css.includes('.woff2)')) throw new Error('a font is not in the page');
  let page = read('dist/index.html');
  page = replaced(page, FIRST, [FIRST, policy("'unsafe-inline'", 'blob:'), OWN].join('\n    '));
  page = replaced(page, '<script src="./theme.js"></script>', `<script>${inside(read('dist/theme.js'))}</script>`);
  const icon = `data:image/svg+xml;base64,${bytes('dist/icon.svg').toString('base64')}`;
  page = replaced(page, './icon.svg', icon);
  const style = /<link rel="stylesheet"[^>]*href="\.\/assets\/index\.css"[^>]*>/.exec(page)?.[0];
  const script = /<script type="module"[^>]*src="\.\/assets\/index\.js"[^>]*><\/script>/.exec(page)?.[0];
  if (!style || !script) throw new Error('the page has other scripts or styles than expected');
  page = replaced(page, style, `<style>${css}</style>`);
  page = replaced(page, script, '');
  const engine = gzipSync(bytes('engine/nimatron.wasm'), { level: 9 }).toString('base64');
  const parts = [
    `<script type="text/plain" id="nimatron-worker">${inside(read('dist/assets/worker.js'))}</script>`,
    `<script type="text/plain" id="nimatron-engine">${engine}</script>`,
    `<script type="module">${inside(read('dist/assets/index.js'))}</script>`,
  ];
  page = replaced(page, '</body>', `${parts.join('\n')}\n</body>`);
  writeFileSync(place('one/nimatron.html'), page);
}

function npm() {
  fresh('npm/');
  cpSync(place('../wasm/npm/'), place('npm/'), { recursive: true });
  cpSync(place('engine/nimatron.wasm'), place('npm/nimatron.wasm'));
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(place(`../../${name}`), place(`npm/${name}`));
}

site();
one();
npm();
