import { vitePlugin as remix } from "@remix-run/dev";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig, type Plugin } from "vite";
import remixOptions from "./remix.config.js";
import { islands } from "./vite-islands";
import { styles } from "./vite-styles";

/** Pages are documents: a changed one is loaded again, so that no part of it keeps its state by React's refresh. */
const pages = (remix({ ...remixOptions, serverModuleFormat: "esm" }) as Plugin[]).filter(
  ({ name }) => name !== "remix-react-refresh-babel",
);

export default defineConfig({
  plugins: [vanillaExtractPlugin(), pages, islands(), styles()],
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
});
