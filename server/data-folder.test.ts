import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepPrivate, makePrivately } from "./data-folder.ts";

let location: string;
let folder: string;
let umask: number;
beforeEach(() => {
  umask = process.umask();
  location = mkdtempSync(join(tmpdir(), "data-folder-"));
  folder = join(location, "data");
});
afterEach(() => {
  process.umask(umask);
  rmSync(location, { recursive: true, force: true });
});

const getMode = (path: string) => statSync(path).mode & 0o777;

function write(path: string, mode: number): string {
  writeFileSync(path, "");
  chmodSync(path, mode);
  return path;
}

test("a folder that others may enter, with a database that they may change, becomes accessible to its owner only", () => {
  const inner = join(folder, "database", "base");
  mkdirSync(inner, { recursive: true });
  for (const path of [folder, join(folder, "database"), inner]) chmodSync(path, 0o755);
  const files = [join(folder, "secrets.key"), join(folder, "database", "PG_VERSION"), join(inner, "1")];
  for (const file of files) write(file, 0o666);
  expect(keepPrivate(folder)).toBeUndefined();
  expect([folder, join(folder, "database"), inner].map(getMode)).toEqual([0o700, 0o700, 0o700]);
  expect(files.map(getMode)).toEqual([0o600, 0o600, 0o600]);
});

test("files created from then on are accessible to their owner only", () => {
  makePrivately();
  mkdirSync(folder);
  writeFileSync(join(folder, "file"), "");
  expect([getMode(folder), getMode(join(folder, "file"))]).toEqual([0o700, 0o600]);
});

test("other files keep their modes, including targets of links", () => {
  mkdirSync(join(folder, "database"), { recursive: true });
  const program = write(join(folder, "program.sh"), 0o755);
  const elsewhere = write(join(location, "elsewhere"), 0o644);
  symlinkSync(elsewhere, join(folder, "database", "link"));
  keepPrivate(folder);
  expect([getMode(program), getMode(elsewhere)]).toEqual([0o755, 0o644]);
});
