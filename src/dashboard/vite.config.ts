import { defineConfig } from 'vite';

// The pages as static files for the Worker's assets: hashed files under /assets/, one index.html.
export default defineConfig({
  root: import.meta.dirname,
  build: { outDir: '../../build/dashboard', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { proxy: { '^/(?!app|@|src|node_modules|lib|style|conversation|main|index).*': 'http://localhost:8787' } },
});
