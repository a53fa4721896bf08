import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';

mount(App, { target: document.getElementById('app')! });

if ('serviceWorker' in navigator && window.isSecureContext && document.querySelector('meta[name=nimatron-engine]')) {
  // Offline once loaded, where the engine is in the page. It works without, so a failure is nobody's concern.
  navigator.serviceWorker.register('./offline.js').catch(() => undefined);
}
