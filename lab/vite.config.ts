import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

// The page becomes one file: packaging/lab.py puts script and style into it, with their hashes in its policy.
export default defineConfig({
  plugins: [solid()],
  base: "./",
  build: { target: "es2022", outDir: "../target/lab", emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
  worker: { format: "iife" },
  server: { fs: { allow: [".."] } },
});
