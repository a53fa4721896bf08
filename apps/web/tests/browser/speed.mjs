/**
 * How long a reader waits: from a cold start of the browser to the first answer, and from a move built on the board to its
 * verdict; and how much is sent. `node tests/browser/speed.mjs`; fails where a figure is not what it has to be.
 */
import assert from 'node:assert/strict';
import { launch, SITES } from './browser.mjs';

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** In the page: when a text is there, on the clock that began with the navigation. */
const watch = () => {
  globalThis.seen = (pattern) =>
    new Promise((done) => {
      const look = () => new RegExp(pattern).test(document.body?.innerText ?? '') && (observer.disconnect(), done(performance.now()), true);
      const observer = new MutationObserver(look);
      const begin = () => look() || observer.observe(document.documentElement, { subtree: true, childList: true, characterData: true });
      begin();
    });
};

for (const [name, start] of Object.entries(SITES)) {
  if (!start) {
    console.log(`${name}: not built`);
    continue;
  }
  const site = await start(11);
  const first = [];
  for (let i = 0; i < 5; i += 1) {
    // A browser that has seen nothing yet.
    const browser = await launch();
    const page = await browser.newPage();
    await page.addInitScript(watch);
    const begun = site.sent?.bytes ?? 0;
    await page.goto(site.url, { waitUntil: 'commit' });
    first.push(await page.evaluate(() => globalThis.seen('is an N-position')));
    if (i === 0 && site.sent) {
      await page.waitForLoadState('networkidle');
      const files = new Map(site.sent.files);
      const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
      assert.ok(begun < bytes);
      console.log(`${name}: ${bytes} bytes are sent, compressed`, [...files].map(([file, size]) => `${file.split('/').at(-1)} ${size}`).join(', '));
      assert.ok(bytes < 1_600_000, 'below 1.6 MB');
    }
    await browser.close();
  }
  console.log(`${name}: first view after ${first.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  assert.ok(median(first) < 1500, 'within 1.5 s');

  const browser = await launch();
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  await page.addInitScript(watch);
  await page.goto(`${site.url}#/board/CN(7,3)/3,5,4,2,1,6,3`);
  await page.getByText('is an N-position').waitFor();
  await page.waitForTimeout(500);
  // Each stack is taken from, one token more each time: new questions all.
  const took = await page.evaluate(async () => {
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const took = [];
    for (const [stack, height] of Object.entries({ a: 3, b: 5, c: 4, d: 2, e: 1, f: 6, g: 3 })) {
      press('Escape');
      await globalThis.seen('Tap a lamp');
      press(stack);
      for (let amount = 1; amount <= height; amount += 1) {
        const from = performance.now();
        press('ArrowUp');
        await globalThis.seen(`Take ${amount} from ${stack}[^]*it (wins|loses)`);
        // Until it is painted.
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        took.push(performance.now() - from);
      }
    }
    return took;
  });
  console.log(`${name}: ${took.length} moves answered on the board, median ${median(took).toFixed(0)} ms, slowest ${Math.max(...took).toFixed(0)} ms`);
  assert.ok(median(took) < 50, 'within 50 ms');
  await browser.close();
  await site.close();
}
