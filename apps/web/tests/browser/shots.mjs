/** Pictures of all views, to be looked at: `node tests/browser/shots.mjs FOLDER [WIDTH...]`. */
import { mkdirSync } from 'node:fs';
import { launch, open, SITES } from './browser.mjs';
import { VIEWS } from './list.mjs';

const [folder = 'shots', ...widths] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const only = process.env.ONLY ? new RegExp(process.env.ONLY) : /./;
const site = await (SITES['the server'] || SITES['the page alone'])();
const browser = await launch();
for (const [name, [hash, words]] of Object.entries(VIEWS)) {
  if (!only.test(name)) continue;
  for (const width of widths.length ? widths.map(Number) : [1440, 360]) {
    for (const colorScheme of ['light', 'dark']) {
      const { page, troubles, close } = await open(browser, site.url, hash, { viewport: { width, height: width < 700 ? 800 : Math.round(width * 0.625) }, colorScheme });
      await page.getByText(new RegExp(words)).filter({ visible: true }).first().waitFor().catch((error) => console.error(name, error.message.split('\n')[0]));
      await page.waitForTimeout(400);
      await page.screenshot({ path: `${folder}/${name.replaceAll(/[ ,]+/g, '-')}-${width}-${colorScheme}.png`, fullPage: width < 700 });
      if (troubles.length) console.error(name, troubles);
      await close();
    }
  }
}
await browser.close();
await site.close();
