import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// File names have no hashes: the built page is kept in the tree, and the server embeds it by name.
export default defineConfig({
  base: './',
  plugins: [svelte()],
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/[name].js', assetFileNames: 'assets/[name][extname]' } } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
});
