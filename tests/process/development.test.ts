import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Program, startCommand } from "../support/program.ts";

/** Everything in a working tree that `npm run dev` reads. */
const sources = ["app", "contracts", "libraries", "public", "sandbox", "scripts", "server", "services"];
const files = ["package.json", "remix.config.js", "server.ts", "tsconfig.json"];
const viteFiles = ["vite.config.ts", "vite-islands.ts", "vite-styles.ts"];

let tree: string;
let development: Program;
let origin: string;

/** A copy of the working tree, whose files may be changed. */
beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), "portal-development-"));
  for (const name of [...sources, ...files, ...viteFiles]) cpSync(name, join(tree, name), { recursive: true });
  // Saves the time to create one.
  if (existsSync("build/database")) cpSync("build/database", join(tree, "build/database"), { recursive: true });
  symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
  development = startCommand([process.execPath, join(tree, "scripts/development/run.js")], {
    NODE_ENV: "development",
    DATA_DIRECTORY: join(tree, "data"),
    PORT: "0",
    LOG_LEVEL: "warn",
  });
  origin = await development.says(/ready at (\S+)/);
});
afterAll(async () => {
  development.process.kill("SIGTERM");
  await development.ended;
  rmSync(tree, { recursive: true, force: true });
});

function change(file: string, from: string, to: string): void {
  const path = join(tree, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to));
}

const read = async (path: string) => await (await fetch(origin + path)).text();

test("a page has its styles and scripts from Vite, and may connect for hot updates", async () => {
  const response = await fetch(`${origin}/about`);
  const page = await response.text();
  expect(response.headers.get("content-security-policy")).toContain("connect-src 'self' ws:");
  expect(page).toContain('src="/assets/@vite/client"');
  const [, brand] = /class="(header_brand[^" ]*)"/.exec(page) ?? [];
  expect(await read("/assets/@styles.css")).toContain(`.${brand}`);
  expect(await read("/assets/app/entry.client.ts")).toContain("data-island");
});

test("a changed page is visible without a restart", async () => {
  expect(await read("/about")).not.toContain("changed a moment ago");
  change("app/routes/about.tsx", "and what it is made of", "and what it is made of, changed a moment ago");
  await expect.poll(() => read("/about")).toContain("changed a moment ago");
  expect(development.output().match(/ready at/g)).toHaveLength(1);
});

test("a page that can't be loaded reports the reason, and is back when it can", async () => {
  change("app/routes/about.tsx", "export const meta", "export const const meta");
  await expect.poll(() => read("/about")).toContain("about.tsx");
  change("app/routes/about.tsx", "export const const meta", "export const meta");
  await expect.poll(() => read("/about")).toContain("changed a moment ago");
});

test("a changed service closes its database, and starts again with the stored data", async () => {
  change("services/kit/service/description.ts", "API Assurance: ", "Changed just now: ");
  origin = await development.says(/ready at [\s\S]*ready at (\S+)/);
  expect(await read("/api/test-registry/openapi.json")).toContain("Changed just now: test registry");
  expect(await read("/about")).toContain("changed a moment ago");
  // The administrator is created only once.
  expect(development.output().match(/with the password/g)).toHaveLength(1);
});
