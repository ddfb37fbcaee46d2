// How the web pages are built: hashed files in dist/assets, nothing inlined, so that the strict CSP holds.
// `vite` alone serves them for development and passes API calls on to a running server.

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { bareRoutes } from "./build/bare-routes.ts";
import { chunkGroups } from "./build/chunks.ts";
import { compressFiles } from "./build/compress-files.ts";

const apiServer = process.env.API_URL ?? "http://127.0.0.1:4180";

export default defineConfig({
  plugins: [react(), bareRoutes(), compressFiles()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
    cssCodeSplit: false,
    // Every browser that reads the target's language preloads modules by itself.
    modulePreload: { polyfill: false },
    // The editor is larger than the 500 kB from which Vite warns, and is fetched only where someone writes.
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": apiServer, "/auth": apiServer, "/healthz": apiServer },
  },
});
