/**
 * Bundles the command line with its worker threads and packs it as npm packs packages: `build/cli/VERSION.tgz`, which
 * the portal serves, beside what pipelines include.
 */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundleOptions, filesEnding, toName } from "./bundle.js";

const { version, license } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = "build/cli";
const packed = join(folder, "package");
rmSync(folder, { recursive: true, force: true });

/** In place of files of undici. */
const unused = {
  body: `export const extractBody = () => { throw new TypeError("Only text and bytes can be sent."); };`,
  socks5: `module.exports = class { constructor() { throw new TypeError("Proxies are http: or https: addresses."); } }`,
};

/** What a module exports, as the build has it. */
async function evaluate(path) {
  const file = join(folder, "evaluated.mjs");
  await build({
    ...bundleOptions([], folder),
    entryPoints: [path],
    outdir: undefined,
    outfile: file,
    splitting: false,
    sourcemap: false,
  });
  return await import(pathToFileURL(resolve(file)).href).finally(() => rmSync(file));
}

const threads = filesEnding(".worker.ts").filter((path) => path.startsWith("libraries/"));
await build({
  ...bundleOptions({ main: "cli/main.ts", ...Object.fromEntries(threads.map((path) => [toName(path), path])) }, packed),
  minify: true,
  charset: "utf8",
  external: [],
  sourcemap: false,
  plugins: [
    {
      name: "undici's client alone",
      setup({ onResolve, onLoad }) {
        // An agent's calls go through proxies; its chunk is loaded by no other command.
        onResolve({ filter: /^undici$/ }, ({ importer }) => ({
          path: resolve(importer.includes("/cli/agent/") ? "cli/agent/undici-proxy.js" : "cli/undici-client.js"),
        }));
        // Bodies of forms and blobs, and proxies of another protocol: nothing here sends by them.
        onResolve({ filter: /web\/fetch\/body\.js$|socks5-proxy-agent$/ }, ({ path }) => ({
          ...{ path: path.includes("socks5") ? "socks5" : "body", namespace: "unused" },
        }));
        onLoad({ filter: /.*/, namespace: "unused" }, ({ path }) => ({ contents: unused[path] }));
        // Its parser comes twice; every processor that Node 20 runs on has these instructions.
        onResolve({ filter: /\/llhttp-wasm\.js$/ }, ({ resolveDir }) => ({
          path: join(resolveDir, "../llhttp/llhttp_simd-wasm.js"),
        }));
      },
    },
    {
      name: "what is used of packages",
      setup({ onResolve, onLoad }) {
        onLoad({ filter: /\/undici\/lib\/llhttp\/constants\.js$/ }, ({ path }) => {
          const { ERROR, TYPE } = createRequire(import.meta.url)(path);
          return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
        });
        // Formats import the validator of draft 7, and use of it what each draft's has.
        onResolve({ filter: /^ajv$/ }, () => ({ path: resolve("node_modules/ajv/dist/2020.js") }));
      },
    },
    {
      name: "shapes without their schemas",
      setup({ onLoad }) {
        onLoad({ filter: /\/cli\/agent\/task-shapes\.ts$/ }, async ({ path }) => ({
          contents: `export const taskShapes = ${JSON.stringify((await evaluate(path)).taskShapes)};`,
        }));
      },
    },
    {
      name: "the version alone",
      setup({ onLoad }) {
        onLoad({ filter: new RegExp(`^${resolve("package.json")}$`) }, () => ({
          contents: JSON.stringify({ version }),
          loader: "json",
        }));
      },
    },
  ],
});
cpSync("cli/README.md", join(packed, "README.md"));
const description = {
  ...{ name: "assurance", version, license, type: "module", description: "Tests what an OpenAPI document promises." },
  ...{ bin: { assurance: "main.js" }, engines: { node: ">=20.19" } },
};
writeFileSync(join(packed, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
execFileSync("npm", ["pack", "--silent", "--pack-destination", resolve(folder)], { cwd: packed });
renameSync(join(folder, `assurance-${version}.tgz`), join(folder, `${version}.tgz`));

// What pipelines take from the portal.
cpSync("integrations/github/action.yml", join(folder, "github/action.yml"));
cpSync("integrations/gitlab/templates/assurance.yml", join(folder, "gitlab/assurance.yml"));
