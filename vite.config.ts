import { vitePlugin as remix } from "@remix-run/dev";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";
import { islands } from "./vite-islands";
import { styles } from "./vite-styles";

export default defineConfig({
  plugins: [vanillaExtractPlugin(), remix({ ...remixOptions, serverModuleFormat: "esm" }), islands(), styles()],
  resolve: { alias: { "~": new URL("./app", import.meta.url).pathname } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    rollupOptions: {
      // Routes without a page leave nothing for the browser, and where a package's comment stands is not ours to change.
      onLog(level, log, report) {
        if (log.code !== "EMPTY_BUNDLE" && log.code !== "INVALID_ANNOTATION") report(level, log);
      },
    },
  },
  server: { middlewareMode: true },
});
