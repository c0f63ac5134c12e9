import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openInstallation } from "./installation.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "installation-")), "data");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

test("the first start creates a key, and every later one finds the same", async () => {
  const first = await openInstallation(folder, undefined);
  const second = await openInstallation(folder, undefined);
  expect(Buffer.from(first.secretsKey, "base64")).toHaveLength(32);
  expect(second.secretsKey).toBe(first.secretsKey);
});

test("the administrator's password is stored, and new only for the start that created it", async () => {
  const first = await openInstallation(folder, undefined);
  expect(first.newAdministratorPassword()).toBeUndefined();
  await first.keepAdministratorPassword("made-but-never-stored");
  await first.keepAdministratorPassword("correct-horse");
  const second = await openInstallation(folder, undefined);
  expect(first.newAdministratorPassword()).toBe("correct-horse");
  expect(second.newAdministratorPassword()).toBeUndefined();
  expect(readFileSync(second.administratorPasswordFile, "utf8")).toBe("correct-horse\n");
});

test("only the owner can read the stored files", async () => {
  const installation = await openInstallation(folder, undefined);
  await installation.keepAdministratorPassword("correct-horse");
  const modes = [folder, join(folder, "secrets.key"), installation.administratorPasswordFile].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o600]);
});

test("many simultaneous first starts read the same key and leave no draft", async () => {
  const opened = await Promise.all(Array.from({ length: 20 }, () => openInstallation(folder, undefined)));
  expect(new Set(opened.map(({ secretsKey }) => secretsKey)).size).toBe(1);
  expect(readdirSync(folder)).toEqual(["secrets.key"]);
});

test("a given key is used and not stored", async () => {
  const secretsKey = "s".repeat(44);
  expect((await openInstallation(folder, secretsKey)).secretsKey).toBe(secretsKey);
  expect(existsSync(folder)).toBe(false);
});

test("an empty key file refuses the start instead of being used as an empty key", async () => {
  const { secretsKey } = await openInstallation(folder, undefined);
  writeFileSync(join(folder, "secrets.key"), "");
  await expect(openInstallation(folder, undefined)).rejects.toThrow(/secrets\.key is empty/);
  writeFileSync(join(folder, "secrets.key"), secretsKey);
  expect((await openInstallation(folder, undefined)).secretsKey).toBe(secretsKey);
});
