/** A browser for the tests: Debian's Chromium, driven by playwright-core; no network but this machine. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const hasBrowser = existsSync(CHROMIUM);

export async function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/**
 * The pages to test: the static site with the engine in it, and the server. Each test runs against every one
 * that `.ci/run` has started.
 */
export const SITES = [
  ['the page alone', process.env.NIMATRON_SITE],
  ['the server', process.env.NIMATRON_SERVER],
].filter(([, url]) => url);

/** Opens a view and fails on any error that the page reports or any request that leaves it. */
export async function open(browser, base, hash, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (400|503)/.test(message.text())) troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['127.0.0.1', 'localhost'].includes(url.hostname) && !['data:', 'blob:'].includes(url.protocol)) troubles.push(`left the machine: ${url.href}`);
  });
  await page.goto(`${base}/${hash}`);
  return { page, troubles, close: () => context.close() };
}
