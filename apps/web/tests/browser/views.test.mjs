import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { createRequire } from 'node:module';
import { hasBrowser, launch, open, SITES } from './browser.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const VIEWS = {
  board: ['#/board/CN(7,3)/3,5,4,2,1,6,3?take=1,2,0,0,0,0,2', 'is an N-position'],
  'board P': ['#/board/CN(7,4)/1,1,3,2,2,2,3', 'is a P-position'],
  why: ['#/why/CN(7,3)/3,5,4,2,1,6,3', 'The winning move here'],
  explore: ['#/explore/CN(4,2)', 'Grundy values'],
  prove: ['#/prove/CN(5,3)', 'positions agree so far'],
  atlas: ['#/atlas', 'what is known for all heights'],
  learn: ['#/learn', 'Learn'],
};

for (const [name, base] of SITES) {
  describe(name, { skip: !hasBrowser && 'no Chromium' }, () => {
    let browser;
    before(async () => (browser = await launch()));
    after(() => browser?.close());

    const view = (title, hash, options, body) =>
      test(title, async () => {
        const opened = await open(browser, base, hash, options);
        try {
          await body(opened.page);
          assert.deepEqual(opened.troubles, []);
        } finally {
          await opened.close();
        }
      });

    view('the first view answers', '', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      await page.getByText('Five winning moves').waitFor();
      assert.equal(await page.locator('.moves tbody tr').count(), 5);
    });

    view('a move is built and played with the keyboard alone', '#/board/Nim(2)/3,5', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      await page.keyboard.press('b');
      await page.keyboard.press('2');
      await page.getByText('it wins').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('is a P-position').waitFor();
      assert.match(page.url(), /Nim\(2\)\/3,3/);
      await page.keyboard.press('Backspace');
      await page.getByText('is an N-position').waitFor();
    });

    view('a move that loses shows its reply', '#/board/Nim(2)/3,5?take=1,0', {}, async (page) => {
      await page.getByText('Your move loses').waitFor();
      await page.getByRole('button', { name: 'Play anyway' }).waitFor();
    });

    view('what cannot be read is pointed at, and the hint helps', '#/board/CN(3,7)', {}, async (page) => {
      await page.getByRole('alert').getByText('the size of a move set must be').waitFor();
      await page.getByRole('button', { name: 'Try CN(7,3)' }).click();
      await page.getByText(/is an? [PN]-position/).waitFor();
    });

    view('the game is edited in the sentence', '#/board/Nim(2)/3,5', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      await page.getByLabel('Position', { exact: true }).fill('4,4');
      await page.keyboard.press('Enter');
      await page.getByText('is a P-position').waitFor();
    });

    view('heights are exact up to 2^63 - 1', '#/board/Nim(2)/9223372036854775807,9223372036854775806', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      const take = page.locator('.moves tbody tr').first();
      await take.getByText('1', { exact: true }).first().waitFor();
      assert.ok((await page.locator('h1').innerText()).length > 0);
      assert.equal(await page.getByLabel('Position', { exact: true }).inputValue(), '(9223372036854775807, 9223372036854775806)');
    });

    view('why: the steps go forward and back', VIEWS.why[0], {}, async (page) => {
      await page.getByText('Complete: five steps there, five back').waitFor();
      const slider = page.getByLabel('Step');
      await slider.fill('0');
      await page.getByText('The question').first().waitFor();
      await slider.press('ArrowRight');
      await page.getByText('Step 1 of 5').waitFor();
    });

    view('why: a P-position answers any move', '#/why/Nim(3)/1,2,3', {}, async (page) => {
      await page.getByLabel('The move: tokens taken from each stack').fill('0,0,1');
      await page.getByRole('button', { name: 'See the reply' }).click();
      await page.getByText('a P-position again').waitFor();
    });

    view('explore: a slice and the P-positions of a box', VIEWS.explore[0], {}, async (page) => {
      await page.locator('svg[role=application] rect.cell').nth(168).waitFor();
      await page.getByRole('button', { name: 'P/N' }).click();
      await page.getByText('Outcomes where').waitFor();
      await page.getByRole('button', { name: 'Compute' }).click();
      await page.getByText('625 positions, 25 of them').waitFor();
    });

    view('prove: a wrong formula has a counterexample, a right one a certificate that is accepted', VIEWS.prove[0], {}, async (page) => {
      const formula = page.getByRole('textbox', { name: 'Formula' });
      await formula.fill('sym(a = 0, b = e, c = d)');
      await page.getByRole('button', { name: 'Prove', exact: true }).click();
      await page.getByText('It claims').waitFor();
      await formula.fill('sym(a = 0, b = e = c+d)');
      await page.getByRole('button', { name: 'Prove', exact: true }).click();
      await page.getByText('Proved for all heights').waitFor();
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
      await page.locator('input[type=file]').setInputFiles(await file.path());
      await page.getByText('Accepted', { exact: true }).waitFor();
    });

    view('prove: an error in a formula is pointed at', '#/prove/CN(5,3)?f=sym(a%3D0,b%3D', {}, async (page) => {
      await page.getByRole('alert').waitFor();
    });

    view('atlas: a game that is not known says why it is hard', '#/atlas', {}, async (page) => {
      await page.getByRole('button', { name: 'CN(6,2): not known' }).click();
      await page.getByText('Why it is hard').waitFor();
    });

    for (const [which, [hash, text]] of Object.entries(VIEWS)) {
      for (const [width, height] of [[320, 700], [2560, 1400]]) {
        view(`${which} fits ${width} pixels`, hash, { viewport: { width, height } }, async (page) => {
          await page.getByText(text).first().waitFor();
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(over <= 0, `${over} pixels too wide`);
        });
      }
      for (const colorScheme of ['light', 'dark']) {
        view(`${which} is accessible in ${colorScheme}`, hash, { colorScheme }, async (page) => {
          await page.getByText(text).first().waitFor();
          await page.waitForTimeout(300);
          await page.evaluate(AXE);
          const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] }));
          const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(' | ')}`), []);
        });
      }
    }
  });
}
