import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';

mount(App, { target: document.getElementById('app')! });

if ('serviceWorker' in navigator && window.isSecureContext) {
  // Offline once loaded. The page works without it, so a failure is nobody's concern.
  navigator.serviceWorker.register('./offline.js').catch(() => undefined);
}
