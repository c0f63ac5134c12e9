import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a program with its output displayed; throws when it fails. */
export function run(program, args, options = {}) {
  execFileSync(program, args, { cwd: root, stdio: "inherit", ...options });
}

function toHash(paths) {
  const hash = createHash("sha256");
  const visit = (path) => {
    const absolute = join(root, path);
    if (!existsSync(absolute)) return;
    let entries;
    try {
      entries = readdirSync(absolute).sort();
    } catch {
      hash.update(path).update("\0").update(readFileSync(absolute));
      return;
    }
    for (const entry of entries) visit(join(path, entry));
  };
  for (const path of paths) visit(path);
  return hash.digest("hex");
}

/** Does `work`, announced on the terminal, unless the stamp records it for the same inputs. */
function once(stampPath, inputs, announcement, work) {
  const stamp = join(root, stampPath);
  const wanted = `${process.version} ${toHash(inputs)}`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stdout.write(`${announcement}\n`);
  const start = Date.now();
  work();
  process.stdout.write(`Done in ${Math.round((Date.now() - start) / 1000)} s.\n`);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Installs the packages in the lockfile, without running their install scripts. */
export function install() {
  const announcement = "Installing packages from the network; this takes about a minute …";
  once("node_modules/.installed", ["package-lock.json"], announcement, () => {
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  });
}

/** Builds pages and process into `build/`. */
export function build() {
  const inputs = [
    "package-lock.json",
    "app",
    "cli",
    "contracts",
    "docs",
    "integrations",
    "libraries",
    "public",
    "sandbox",
    "services",
    "server.ts",
    "server",
    "vite.config.ts",
    "vite-islands.ts",
    "vite-styles.ts",
    "remix.config.js",
    "tsconfig.json",
    "scripts",
  ];
  once("build/.built", inputs, "Building pages and server; this takes about a minute …", () => {
    run("npm", ["run", "--silent", "build"], { env: { ...process.env, NODE_ENV: "production" } });
  });
}
