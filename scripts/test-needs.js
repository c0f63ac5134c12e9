import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./prepare.js";

const databases = "services/kit/testing/databases.ts";
/** Names of build outputs, and of what starts programs: searched in tests and their shared code only. */
const builtFiles = /["'`/]build\//;
const starters = /testing\/node-process\.ts|child_process/;
const shared = /(^tests\/|\/testing\/|\.test\.tsx?$|\.spec\.ts$)/;
/** Types do not exist when a test runs. */
const imports =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;

const known = new Map();

function importedBy(file) {
  const found = known.get(file);
  if (found) return found;
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(imports)].map(([, named, dynamic]) => named ?? dynamic);
  const read = { text, files: specifiers.flatMap((specifier) => locate(specifier, file) ?? []) };
  known.set(file, read);
  return read;
}

/** Undefined for packages. */
function locate(specifier, from) {
  const base = specifier.startsWith(".")
    ? join(dirname(from), specifier)
    : specifier.startsWith("~/")
      ? join("app", specifier.slice(2))
      : /^#(contracts|libraries)\//.test(specifier)
        ? specifier.slice(1)
        : undefined;
  if (!base) return undefined;
  const candidates = ["", ".ts", ".tsx", ".css.ts"].map((ending) => base + ending);
  return candidates.find((path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile());
}

/** The requirements of a test, from everything it imports. */
export function getNeeds(file) {
  const reached = new Set([file]);
  const browser = file.endsWith(".spec.ts");
  const needs = { browser, database: false, build: browser, programs: false };
  for (const path of reached) {
    const { text, files } = importedBy(path);
    if (path === databases || text.includes("TEST_DATABASE_URL")) needs.database = true;
    if (shared.test(path)) {
      if (builtFiles.test(text)) needs.build = true;
      if (starters.test(text)) needs.programs = true;
    }
    for (const imported of files) reached.add(imported);
  }
  return needs;
}

const isTest = (path) => /\.(test\.tsx?|spec\.ts)$/.test(path);

/** All tests at these paths, files or folders. */
export function testsAt(paths) {
  return paths.flatMap((given) => {
    const path = relative(root, resolve(given));
    if (!existsSync(join(root, path))) throw new Error(`There is no ${path}.`);
    if (!statSync(join(root, path)).isDirectory()) return [path];
    const names = readdirSync(join(root, path), { recursive: true }).map((name) => join(path, String(name)));
    return names.filter(isTest);
  });
}

/** Top-level folders with tests. */
export const folders = ["app", "contracts", "libraries", "sandbox", "scripts", "server", "services", "tests"];
