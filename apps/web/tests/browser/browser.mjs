/** A browser for the tests: Debian's Chromium, driven by playwright-core; no network but this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { host } from './host.mjs';

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

const place = (path) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = process.env.NIMATRON ?? place('../../../../target/release/nimatron');
/** A server that runs already. */
const RUNNING = process.env.NIMATRON_SERVER;
const SITE = place('../../site');

export const ALL = process.env.NIMATRON_ALL !== undefined;

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

/** The pages to test: the server with the native engine, and the static site with the engine in it, if it was built. */
export const SITES = {
  'the server': RUNNING ? async () => ({ url: RUNNING, close() {} }) : existsSync(PROGRAM) && serve,
  'the page alone': existsSync(`${SITE}/assets/nimatron.wasm`) && ((quality) => host(SITE, quality)),
};

export async function serve() {
  const server = spawn(PROGRAM, ['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = await once(server.stdout, 'data');
  const url = `${/http:\/\/[\w.:]+/.exec(String(first))[0].replace('localhost', '127.0.0.1')}/`;
  return { url, close: async () => (server.kill(), await once(server, 'exit')) };
}

/** Opens a view and notes any error that the page reports and any request that leaves it. */
export async function open(browser, base, hash, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (400|503)/.test(message.text())) troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['127.0.0.1', 'localhost'].includes(url.hostname) && !['data:', 'blob:'].includes(url.protocol)) troubles.push(`left the machine: ${url.href}`);
  });
  await page.goto(`${base}${hash}`);
  return { page, context, troubles, close: () => context.close() };
}
