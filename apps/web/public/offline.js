// Keeps the page, so that it works offline once it was loaded. Answers are computed in the page and are not kept.
const KEPT = 'nimatron-1';
const FILES = [
  './',
  './theme.js',
  './icon.svg',
  './fonts.txt',
  './assets/index.js',
  './assets/index.css',
  './assets/worker.js',
  './assets/nimatron.wasm',
  './assets/source-code-pro-latin-400-normal.woff2',
  './assets/source-serif-4-latin-400-italic.woff2',
  './assets/source-serif-4-latin-400-normal.woff2',
  './assets/source-serif-4-latin-600-normal.woff2',
];

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)));
});
self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});
// What the host has is newer than what was kept.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(
    fetch(request)
      .then((reply) => {
        if (reply.ok) {
          const copy = reply.clone();
          caches.open(KEPT).then((cache) => cache.put(request, copy));
        }
        return reply;
      })
      .catch(() => caches.match(request, { ignoreSearch: true }).then((kept) => kept ?? Response.error())),
  );
});
