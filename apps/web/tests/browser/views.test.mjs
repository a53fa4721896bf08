/**
 * The workbench in Chromium, against the server and against the static site. In every run: what a reader does; and each view
 * on a phone and on a screen, with axe in light and dark, against the server, for a view looks the same whoever answers. With
 * NIMATRON_ALL every width in every theme, against both.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { ALL, launch, open, SITES } from './browser.mjs';
import { VIEWS } from './list.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const theme = (page, name) =>
  page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
    dispatchEvent(new Event('themechange'));
  }, name);

async function fits(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${over} pixels too wide at ${page.viewportSize().width}`);
}

async function accessible(page) {
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
  const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')}`);
  assert.deepEqual(told, [], `at ${page.viewportSize().width}`);
}

/** Everything that can be pressed is reached with Tab, and shows that it has the focus. */
async function reachable(page) {
  await page.evaluate(() => (document.activeElement?.blur(), scrollTo(0, 0)));
  const wanted = await page.evaluate(() => {
    const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]');
    const all = [...document.querySelectorAll('a[href], button:not([disabled]), input:not([disabled]), select, textarea')];
    return all.filter((element) => shown(element) && element.tabIndex >= 0).length;
  });
  const met = new Set();
  for (let i = 0; i < wanted + 10; i += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      globalThis.met ??= new Map();
      if (!globalThis.met.has(element)) globalThis.met.set(element, globalThis.met.size);
      const style = getComputedStyle(element);
      const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
      const ruled = parseFloat(style.borderBottomWidth) > 0;
      // A lamp of a figure has a ring of its own.
      const mark = element.querySelector(':scope > .mark');
      const marked = mark !== null && getComputedStyle(mark).stroke !== 'none' && getComputedStyle(mark).opacity !== '0';
      return { id: globalThis.met.get(element), visible: ring || ruled || marked, html: element.outerHTML.slice(0, 120) };
    });
    if (!at) break;
    assert.ok(at.visible, `the focus is not seen: ${at.html}`);
    met.add(at.id);
  }
  assert.ok(met.size >= Math.min(wanted, 60) * 0.95, `Tab reaches ${met.size} of ${wanted}`);
}

for (const [name, start] of Object.entries(SITES)) {
  describe(name, { skip: !start && 'not built' }, () => {
    let browser;
    let site;
    before(async () => {
      [browser, site] = await Promise.all([launch(), start()]);
    });
    after(async () => {
      await browser?.close();
      await site?.close();
    });

    const view = (title, hash, options, body) =>
      test(title, async () => {
        const opened = await open(browser, site.url, hash, options);
        try {
          await body(opened.page, opened);
          assert.deepEqual(opened.troubles, []);
        } finally {
          await opened.close();
        }
      });

    const looked = ALL || name === 'the server' ? Object.entries(VIEWS) : [];
    for (const [which, [hash, words]] of looked) {
      view(`${which}: fits, and is accessible`, hash, {}, async (page) => {
        await page.getByText(new RegExp(words)).filter({ visible: true }).first().waitFor();
        await page.waitForTimeout(150);
        await page.evaluate(AXE);
        const widths = ALL ? [320, 360, 768, 1280, 2560] : [320, 1280];
        for (const [i, width] of widths.entries()) {
          await page.setViewportSize({ width, height: width > 2000 ? 1400 : 800 });
          await page.waitForTimeout(50);
          await fits(page);
          for (const colours of ALL ? ['light', 'dark'] : [['dark', 'light'][i % 2]]) {
            await theme(page, colours);
            await accessible(page);
          }
        }
        if (ALL) await reachable(page);
      });
    }

    view('the first view answers', '', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      await page.getByText('Five winning moves').waitFor();
      assert.equal(await page.locator('.moves tbody tr').count(), 5);
    });

    view('the system decides between light and dark', '', { colorScheme: 'dark' }, async (page) => {
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    });

    view('a move is built and played with the keyboard alone, undone and redone', '#/board/Nim(2)/3,5', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      await page.keyboard.press('b');
      await page.keyboard.press('2');
      await page.getByText('it wins').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('is a P-position').waitFor();
      assert.match(page.url(), /Nim\(2\)\/3,3/);
      await page.keyboard.press('Backspace');
      await page.getByText('is an N-position').waitFor();
      await page.keyboard.press('Shift+Backspace');
      await page.getByText('is a P-position').waitFor();
    });

    view('the views are reached with the keyboard alone', '', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      await page.keyboard.press('Tab');
      await page.getByRole('link', { name: 'To the content' }).waitFor();
      for (let i = 0; i < 5; i += 1) await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Atlas');
      await page.keyboard.press('Enter');
      await page.getByText('Circular Nim: what is known').waitFor();
    });

    view('a move that loses shows its reply', '#/board/Nim(2)/3,5?take=1,0', {}, async (page) => {
      await page.getByText('Your move loses').waitFor();
      await page.getByRole('button', { name: 'Play anyway' }).waitFor();
    });

    view('a lamp is clicked, a move is played, and stands in the history', '#/board/Nim(2)/3,5', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      await page.locator('.moves tbody tr').first().click();
      await page.getByText('it wins').waitFor();
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.getByText('is a P-position').waitFor();
      await page.getByRole('region', { name: 'Game so far' }).getByText('b2').waitFor();
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

    view('the sentence speaks of what is on the board, whatever was entered before', '#/board/CN(7,3)/3,5,4,2,1,6,3', {}, async (page) => {
      const [game, position] = [page.getByLabel('Game', { exact: true }), page.getByLabel('Position', { exact: true })];
      await page.getByText('is an N-position').waitFor();
      for (const wrong of ['CN(7,', 'Set(ab,c']) {
        await game.fill(wrong);
        await game.press('Enter');
        await page.getByRole('alert').waitFor();
        assert.equal(await game.inputValue(), wrong.replaceAll(',', ',\u200a'));
      }
      await page.goBack();
      await page.goBack();
      await page.getByText('is an N-position').waitFor();
      assert.equal(await game.inputValue(), 'CN(7,\u200a3)');
      await position.fill('3,5,4');
      await position.press('Enter');
      await page.getByRole('alert').getByText('3 heights are given').waitFor();
      assert.equal(await position.inputValue(), '(3, 5, 4)');
      await position.fill('1,2,3,4,5,6,7');
      await position.press('Enter');
      await page.locator('.moves tbody tr').first().click();
      await page.getByText('it wins').waitFor();
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.getByText('is a P-position').waitFor();
      assert.notEqual(await position.inputValue(), '(1, 2, 3, 4, 5, 6, 7)');
    });

    view('a move of the table is shown under the pointer, and the move being built stays', '#/board/Nim(2)/3,5?take=1,0', {}, async (page) => {
      await page.getByText('it loses').waitFor();
      const rings = page.locator('section[aria-label=Board] svg .take');
      assert.equal(await rings.count(), 1);
      await page.locator('.moves tbody tr').first().hover();
      await page.waitForFunction(() => document.querySelectorAll('section[aria-label=Board] svg .take').length === 2);
      assert.match(page.url(), /take=1,0/);
      await page.getByText('it loses').waitFor();
      await page.mouse.move(2, 2);
      await page.waitForFunction(() => document.querySelectorAll('section[aria-label=Board] svg .take').length === 1);
    });

    view('a lamp that is tapped again is put back', '#/board/Nim(2)/3,5', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      const lamp = await page.locator('section[aria-label=Board] svg .lamp').nth(2).boundingBox();
      const tap = () => page.mouse.click(lamp.x + lamp.width / 2, lamp.y + lamp.height / 2);
      await tap();
      await page.waitForURL(/take=1,0/);
      await tap();
      await page.waitForURL((url) => !url.href.includes('take='));
    });

    view('a move is typed and played in the fields', '#/board/Nim(2)/3,5', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      const field = page.getByLabel(/^Take from stack b/);
      await field.fill('2');
      await field.press('Enter');
      await page.getByText('it wins').waitFor();
      await field.press('Escape');
      assert.equal(await field.inputValue(), '0');
      await field.fill('2');
      await field.press('Enter');
      await page.getByText('it wins').waitFor();
      await field.press('Enter');
      await page.getByText('is a P-position').waitFor();
    });

    view('the views keep the game and the position, and have titles', '#/board/Nim(2)/3,5', {}, async (page) => {
      // A view that is left may have links of the same name.
      const views = page.getByRole('navigation', { name: 'Views' });
      await page.getByText('is an N-position').waitFor();
      assert.equal(await page.title(), 'Nim(2) at (3,5) · Nimatron');
      await views.getByRole('link', { name: 'Atlas' }).click();
      await page.waitForFunction(() => document.title === 'Atlas · Nimatron');
      await views.getByRole('link', { name: 'Learn' }).click();
      await views.getByRole('link', { name: 'Explore' }).click();
      await page.waitForURL(/explore\/Nim\(2\)/);
      await views.getByRole('link', { name: 'Why' }).click();
      await page.waitForURL(/why\/Nim\(2\)\/3,5/);
      await page.keyboard.press('Shift+T');
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    });

    view('heights are exact up to 2^63 - 1', '#/board/Nim(2)/9223372036854775807,9223372036854775806', {}, async (page) => {
      await page.getByText('is an N-position').waitFor();
      const take = page.locator('.moves tbody tr').first();
      await take.getByText('1', { exact: true }).first().waitFor();
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

    view('why: the step has an address, and a link to it shows that step', '#/why/CN(7,3)/3,5,4,2,1,6,3?s=3', {}, async (page) => {
      await page.getByText('Step 3 of 5').waitFor();
      await page.getByLabel('Step', { exact: true }).press('ArrowLeft');
      await page.getByText('Step 2 of 5').waitFor();
      await page.waitForURL(/\?s=2$/);
      await page.getByLabel('Step', { exact: true }).press('End');
      await page.getByText('Complete: five steps there').waitFor();
      assert.match(page.url(), /6,3$/);
    });

    view('a losing move: every reply that beats it', '#/board/CN(7,3)/3,5,4,2,1,6,3?take=1,0,0,0,0,0,0', {}, async (page) => {
      await page.getByText('four replies beat it').waitFor();
      assert.equal(await page.getByText('↳').count(), 4);
    });

    view('a citation leads to the page of its theorem, and that to games', '#/board/PN(5,3)/2,4,1,2,4', {}, async (page) => {
      await page.getByRole('link', { name: 'KDH26 Theorem 4.1' }).first().click();
      await page.waitForURL(/#\/theorem\/path$/);
      await page.getByRole('heading', { name: 'KDH26 Theorem 4.1' }).waitFor();
      await page.getByText('of the atlas rest on it').waitFor();
      await page.goto(page.url().replace(/#.*/, '#/theorem/Bouton%201901'));
      await page.getByText('misere-moore').waitFor();
      await page.goto(page.url().replace(/#.*/, '#/theorem/no%20such'));
      await page.getByText('No theorem has this name').waitFor();
    });

    view('explore: the mex as a row of lamps, the cells a move reaches, and a sheet of slices', '#/explore/CN(4,2)?x=a&y=c&h-b=4&h-d=4', {}, async (page) => {
      const mex = page.getByRole('img', { name: /The least other value is 5/ });
      await mex.waitFor();
      // From (4,4,2,4) all values below 5 are reached, 5 is not: its lamp is the first that is dark.
      const label = await mex.getAttribute('aria-label');
      assert.match(label, /reach the values 0, 1, 2, 3, 4, 6/);
      assert.ok((await page.locator('path.reach').getAttribute('d')).length > 20);
      const sheet = page.getByRole('group', { name: 'Slices along d' });
      await sheet.locator('canvas').nth(12).waitFor();
      assert.equal(await sheet.getByRole('button', { pressed: true }).getAttribute('aria-label'), 'd = 4');
      await sheet.getByRole('button', { name: 'd = 7' }).click();
      await page.waitForURL(/h-d=7/);
      await page.getByRole('application').focus();
      await page.keyboard.press('Shift+ArrowDown');
      await page.waitForURL(/h-d=6/);
    });

    view('why: a wrong position is pointed at, and a P-position comes to its end', '#/why/CN(7,3)/3,5', {}, async (page) => {
      await page.getByRole('alert').getByText('2 heights are given').waitFor();
      assert.match(await page.getByRole('alert').locator('code').textContent(), /^3,5/);
      await page.goto(page.url().replace(/#.*/, '#/why/Set(ad,abc,bcd)/2,1,1,2'));
      await page.getByText('Complete: one step there').waitFor();
      await page.goto(page.url().replace(/#.*/, '#/why/CN(6,2)/1,2,3,1,2,1'));
      await page.getByText('not a theorem').waitFor();
    });

    view('explore: P-positions are counted in every colour', '#/explore/CN(4,2)?x=b&y=c&h-a=3&h-d=4&by=outcomes', {}, async (page) => {
      const sub = page.getByText(/P-positions? among these/);
      const count = async () => /^\s*\d+/.exec(await sub.textContent())?.[0].trim();
      await sub.waitFor();
      const all = await count();
      assert.ok(Number(all) > 0);
      for (const [kind, words] of [['moves left', 'Remoteness where'], ['value', 'Grundy values where']]) {
        await page.getByRole('button', { name: kind }).click();
        await page.getByText(words).waitFor();
        await page.waitForTimeout(300);
        assert.equal(await count(), all, kind);
      }
    });

    view('explore: the list is filtered, and says what it cannot read', VIEWS.explore[0], {}, async (page) => {
      await page.getByRole('button', { name: 'Compute' }).click();
      await page.getByText('625 positions, 25 of them').waitFor();
      const rows = page.locator('ul.rows li');
      const all = await rows.count();
      const filter = page.getByLabel('Filter');
      await filter.fill('a = 0, b <= 2');
      await page.getByText(`of ${all} shown`).waitFor();
      const some = await rows.count();
      assert.ok(some > 0 && some < all);
      await filter.fill('a=c');
      assert.ok((await rows.count()) > 0);
      await filter.fill('a+b=2');
      await page.getByText('Cannot read a+b=2').waitFor();
    });

    view('explore: a slice, the P-positions of a box, and files of them', VIEWS.explore[0], {}, async (page) => {
      await page.locator('svg[role=application] rect.cell').nth(168).waitFor();
      await page.getByRole('button', { name: 'P/N' }).click();
      await page.getByText('Outcomes where').waitFor();
      await page.getByRole('button', { name: 'Compute' }).click();
      await page.getByText('625 positions, 25 of them').waitFor();
      for (const kind of ['CSV', 'JSONL']) {
        const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: kind }).first().click()]);
        assert.ok((await readFile(await file.path(), 'utf8')).length > 20, kind);
      }
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

    view('prove: a game may be written in any way', '#/prove/cn(5,%203)?f=sym(a%20%3D%200,%20b%20%3D%20e%20%3D%20c%2Bd)', {}, async (page) => {
      await page.getByText('positions agree so far').waitFor();
      await page.getByRole('button', { name: 'Prove', exact: true }).click();
      await page.getByText('Proved for all heights').waitFor();
      await page.waitForTimeout(300);
      assert.equal(await page.locator('article').count(), 1);
    });

    view('prove: a certificate that is rejected says why, as often as it is chosen', VIEWS.prove[0], {}, async (page) => {
      const file = { name: 'wrong.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
      await page.getByText('positions agree so far').waitFor();
      for (const times of [1, 2]) {
        await page.locator('input[type=file]').setInputFiles(file);
        await page.getByText('Not a certificate').nth(times - 1).waitFor();
      }
    });

    view('prove: a claim that goes one way only', '#/prove/CN(5,3)?f=min%20%3D%200', {}, async (page) => {
      await page.getByText('A small position disagrees').waitFor();
      await page.getByRole('button', { name: 'among these' }).click();
      await page.getByText('positions agree so far').waitFor();
      await page.getByRole('button', { name: 'Prove', exact: true }).click();
      await page.getByText('Proved for all heights').waitFor();
      await page.getByRole('button', { name: 'these and others' }).click();
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('Not all of these are P-positions').waitFor();
    });

    view('prove: a formula is learned from a table, and proved', '#/prove/CN(4,2)', {}, async (page) => {
      await page.getByRole('button', { name: 'Guess from a table' }).click();
      await page.getByText('evidence, not a proof').waitFor();
      await page.getByRole('button', { name: 'Try to prove it' }).click();
      await page.getByText('positions agree so far').waitFor();
      await page.getByRole('button', { name: 'Prove', exact: true }).click();
      await page.getByText('Proved for all heights').waitFor();
    });

    view('prove: an error in a formula is pointed at', '#/prove/CN(5,3)?f=sym(a%3D0,b%3D', {}, async (page) => {
      await page.getByRole('alert').waitFor();
    });

    view('prove: long work can be stopped, and the page goes on', '#/prove/CN(8,2)', {}, async (page) => {
      await page.getByRole('button', { name: 'Discover' }).click();
      await page.getByRole('button', { name: 'Stop' }).first().waitFor();
      await page.waitForTimeout(700);
      const stopped = Date.now();
      await page.getByRole('button', { name: 'Stop' }).first().click();
      await page.getByRole('button', { name: 'Stop' }).first().waitFor({ state: 'detached' });
      assert.ok(Date.now() - stopped < 1000);
      await page.getByRole('button', { name: 'Ask again' }).waitFor();
      await page.getByRole('link', { name: 'Learn' }).click();
      await page.getByText('Equal stacks').waitFor();
    });

    view('atlas: a game that is not known says why it is hard', '#/atlas', {}, async (page) => {
      await page.getByRole('button', { name: 'CN(6,2): not known' }).click();
      await page.getByText('Why it is hard').waitFor();
    });

    view('atlas: games are filtered by stacks, status and symmetries', '#/atlas?tab=small', {}, async (page) => {
      await page.getByText('games', { exact: false }).first().waitFor();
      const games = page.locator('ul.games li');
      await games.first().waitFor();
      const all = await games.count();
      await page.getByLabel('stacks').selectOption('4');
      await page.getByLabel('symmetries').selectOption('24');
      // All facets of one size: Nim(4), Moore(4,2), CN(4,3) and CN(4,4).
      assert.equal(await games.count(), 4);
      await page.getByLabel('status').selectOption('open');
      assert.equal(await games.count(), 0);
      assert.ok(all > 200);
      assert.match(page.url(), /symmetry=24/);
      // What stands in the address is shown by the lists.
      await page.reload();
      await page.getByLabel('stacks').waitFor();
      assert.deepEqual(await page.locator('select').evaluateAll((lists) => lists.map(({ value }) => value)), ['4', 'open', '24']);
    });

    view('a lesson is taken with the keyboard alone', '#/learn/lesson/nim/1', {}, async (page) => {
      await page.getByText('1 of').first().waitFor();
      await page.getByLabel(/^Take from stack a/).focus();
      for (let i = 0; i < 4; i += 1) await page.keyboard.press('ArrowUp');
      await page.getByRole('button', { name: 'This move' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Right.').waitFor();
    });

    view('a match outlives a look at the board, a reload, and another opponent', '#/learn/play/Nim(2)/3,5?level=perfect', {}, async (page) => {
      await page.getByText('It is your move').waitFor();
      const field = page.getByLabel(/^Take from stack b/);
      await field.fill('1');
      await field.press('Enter');
      await field.press('Enter');
      await page.getByText('The machine took').waitFor();
      const moves = page.getByRole('region', { name: 'The match so far' }).locator('li');
      const played = await moves.allTextContents();
      assert.equal(played.length, 2);
      assert.match(page.url(), /m=0,1;/);
      assert.match(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), /^Take from stack a/);
      const same = async () => {
        await page.getByText('It is your move').waitFor();
        assert.deepEqual(await moves.allTextContents(), played);
      };
      await page.getByRole('link', { name: 'Analyse' }).click();
      await page.getByText(/is an? [PN]-position/).waitFor();
      await page.goBack();
      await same();
      await page.reload();
      await same();
      await page.getByRole('button', { name: 'Dice' }).click();
      await page.waitForURL(/level=random/);
      await same();
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.waitForURL((url) => !url.href.includes('m='));
      await page.getByText('You begin').waitFor();
    });

    view('before a move is judged it has no colour of its own', '#/learn/play/Nim(2)/3,5', {}, async (page) => {
      await page.getByLabel(/^Take from stack b/).press('ArrowUp');
      await page.locator('svg .take.open').waitFor();
    });

    view('a page behind the end of a lesson is its last one', '#/learn/lesson/nim/99', {}, async (page) => {
      await page.getByText(/^(\d+) of \1$/).waitFor();
    });

    view('on a small phone the board is seen without scrolling', '#/board/CN(7,3)/3,5,4,2,1,6,3', { viewport: { width: 320, height: 640 } }, async (page) => {
      await page.getByText('is an N-position').waitFor();
      const lamps = page.locator('section[aria-label=Board] svg .lamp');
      const seen = await lamps.evaluateAll((all) => all.filter((lamp) => lamp.getBoundingClientRect().bottom < innerHeight).length);
      assert.ok(seen >= 20, `${seen} of 24 lamps`);
    });

    if (name === 'the server') {
      view('a question that was stopped can be asked again', '#/nowhere', {}, async (page) => {
        await page.getByText('There is nothing at this address').waitFor();
        await page.route('**/api', (route) => (/"solve"/.test(route.request().postData()) ? undefined : route.continue()));
        await page.goto(page.url().replace(/#.*/, '#/board/Nim(2)/3,5'));
        await page.getByRole('button', { name: 'Stop' }).click();
        await page.unroute('**/api');
        await page.getByRole('button', { name: 'Ask again' }).click();
        await page.getByText('is an N-position').waitFor();
      });

      view('work ends with the view that asked for it', '#/prove/CN(8,2)', {}, async (page) => {
        await page.getByRole('button', { name: 'Discover' }).click();
        await page.getByRole('button', { name: 'Stop' }).waitFor();
        const ended = page.waitForEvent('requestfailed');
        await page.getByRole('link', { name: 'Learn' }).click();
        assert.match((await ended).postData(), /discover/);
      });

      for (const hash of ['#/board/Nim(2)/3,5', '#/why/Nim(2)/3,5', '#/explore/Nim(2)', '#/atlas', '#/prove/Nim(2)', '#/learn/puzzle/1']) {
        view(`a server that is gone is told: ${hash}`, '#/nowhere', {}, async (page, { troubles }) => {
          await page.getByText('There is nothing at this address').waitFor();
          await page.route('**/api', (route) => route.abort('connectionrefused'));
          await page.goto(page.url().replace(/#.*/, hash));
          await page.getByRole('alert').getByText('The engine does not answer').first().waitFor();
          assert.deepEqual(troubles.filter((trouble) => !trouble.includes('ERR_CONNECTION_REFUSED')), []);
          troubles.length = 0;
        });
      }
    }

    view('a match is played to its end, with a review', '#/learn/play/Nim(2)/1,2?level=perfect', {}, async (page) => {
      await page.getByText('It is your move').waitFor();
      const stack = page.getByLabel(/^Take from stack/);
      await stack.nth(1).focus();
      await page.keyboard.press('ArrowUp');
      await page.getByRole('button', { name: 'Take', exact: true }).click();
      await page.getByText('The machine took').waitFor();
      for (const i of [0, 1]) {
        if (!/has 0$/.test(await stack.nth(i).getAttribute('aria-label'))) {
          await stack.nth(i).focus();
          await page.keyboard.press('ArrowUp');
          break;
        }
      }
      await page.getByRole('button', { name: 'Take', exact: true }).click();
      await page.getByText('You won').waitFor();
    });
  });
}
