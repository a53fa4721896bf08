/** What only the static site can do, or can suffer: offline, as one file, with an engine that fails. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, open, SITES } from './browser.mjs';

const start = SITES['the page alone'];
const ONE = fileURLToPath(new URL('../../one/nimatron.html', import.meta.url));

/** A module that traps at the first question. */
function trap() {
  const section = (id, ...bytes) => [id, bytes.length, ...bytes];
  const name = (text) => [text.length, ...new TextEncoder().encode(text)];
  const [I32, F64] = [0x7f, 0x7c];
  const types = section(1, 3, 0x60, 1, I32, 1, I32, 0x60, 2, F64, F64, 1, I32, 0x60, 0, 1, I32);
  const functions = section(3, 4, 0, 1, 2, 2);
  const memory = section(5, 1, 0, 1);
  const exported = [['memory', 2, 0], ['nimatron_room', 0, 0], ['nimatron_ask', 0, 1], ['nimatron_answer', 0, 2], ['nimatron_answer_bytes', 0, 3]];
  const exports = section(7, exported.length, ...exported.flatMap(([text, kind, index]) => [...name(text), kind, index]));
  const zero = [4, 0, 0x41, 0, 0x0b];
  const code = section(10, 4, ...zero, 3, 0, 0x00, 0x0b, ...zero, ...zero);
  return Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...functions, ...memory, ...exports, ...code]);
}

describe('the page alone', { skip: !start && 'not built' }, () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  test('works offline once it was loaded', async () => {
    const site = await start();
    const { page, troubles, close } = await open(browser, site.url, '');
    await page.getByText('is an N-position').waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready);
    assert.deepEqual(troubles, []);
    await site.close();
    await page.goto(`${site.url}?offline#/board/CN(5,3)/4,2,3,5,1`);
    await page.getByText(/is an? [PN]-position/).waitFor();
    await page.getByRole('link', { name: 'Learn' }).click();
    await page.getByText('Equal stacks').waitFor();
    await close();
  });

  test('an engine that traps or is missing is told, and does not block the page', async () => {
    const site = await start();
    for (const [answer, words] of [
      [(route) => route.fulfill({ contentType: 'application/wasm', body: trap() }), 'used up the memory'],
      [(route) => route.fulfill({ status: 404, body: '' }), 'could not be loaded'],
    ]) {
      const context = await browser.newContext({ serviceWorkers: 'block' });
      const page = await context.newPage();
      await page.route('**/nimatron.wasm', answer);
      await page.goto(site.url);
      await page.getByRole('alert').getByText(words).waitFor();
      await page.getByRole('link', { name: 'Prove' }).click();
      await page.getByRole('textbox', { name: 'Formula' }).fill('a = b');
      await context.close();
    }
    await site.close();
  });

  test('a board stands in another page, in a frame', async () => {
    const site = await start();
    const context = await browser.newContext();
    const page = await context.newPage();
    const frame = `<!doctype html><iframe title="A board" width="720" height="800" src="${site.url}?theme=light#/board/CN(5,2)/2,4,3,5,1?frame=1"></iframe>`;
    const lecture = createServer((_, reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end(frame));
    await new Promise((done) => lecture.listen(0, '127.0.0.1', done));
    await page.goto(`http://127.0.0.1:${lecture.address().port}/lecture.html`);
    const board = page.frameLocator('iframe');
    await board.getByText(/is an? [PN]-position/).waitFor();
    assert.equal(await board.getByRole('navigation').count(), 0);
    await board.getByLabel(/^Take from stack b/).fill('1');
    await page.keyboard.press('Tab');
    await board.getByText(/it (wins|loses)/).waitFor();
    await context.close();
    lecture.close();
    await site.close();
  });

  test('is one file that is opened from a disk', { skip: !existsSync(ONE) && 'not built' }, async () => {
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const troubles = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      if (!/^(file|blob|data):/.test(request.url())) troubles.push(request.url());
    });
    await page.goto(`file://${ONE}`);
    await page.getByText('is an N-position').waitFor();
    await page.goto(`file://${ONE}#/prove/CN(5,3)`);
    await page.getByText('positions agree so far').first().waitFor();
    assert.deepEqual(troubles, []);
    await context.close();
  });
});
