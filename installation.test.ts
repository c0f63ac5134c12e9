import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openInstallation } from "./installation.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "installation-")), "data");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const nothingGiven = { secretsKey: undefined, administratorPassword: undefined };

test("the first start makes key and password, and every later one finds the same", async () => {
  const first = await openInstallation(folder, nothingGiven);
  const second = await openInstallation(folder, nothingGiven);
  expect(first.administratorPasswordIsNew).toBe(true);
  expect(second).toEqual({ ...first, administratorPasswordIsNew: false });
  expect(Buffer.from(first.secretsKey, "base64")).toHaveLength(32);
  expect(readFileSync(first.administratorPasswordFile, "utf8").trim()).toBe(first.administratorPassword);
});

test("nobody but the owner can read what is kept", async () => {
  await openInstallation(folder, nothingGiven);
  const modes = [folder, join(folder, "secrets.key"), join(folder, "administrator-password.txt")].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o600]);
});

test("of many first starts at once all read the same secrets and one shows the password", async () => {
  const opened = await Promise.all(Array.from({ length: 20 }, () => openInstallation(folder, nothingGiven)));
  expect(new Set(opened.map(({ secretsKey }) => secretsKey)).size).toBe(1);
  expect(new Set(opened.map(({ administratorPassword }) => administratorPassword)).size).toBe(1);
  expect(opened.filter(({ administratorPasswordIsNew }) => administratorPasswordIsNew)).toHaveLength(1);
  expect(readdirSync(folder).sort()).toEqual(["administrator-password.txt", "secrets.key"]);
});

test("given secrets are used and none is kept", async () => {
  const given = { secretsKey: "s".repeat(44), administratorPassword: "correct-horse" };
  expect(await openInstallation(folder, given)).toMatchObject({ ...given, administratorPasswordIsNew: false });
  expect(readdirSync(folder)).toEqual([]);
});

test("an emptied key refuses the start instead of standing for an empty key", async () => {
  const { secretsKey } = await openInstallation(folder, nothingGiven);
  writeFileSync(join(folder, "secrets.key"), "");
  await expect(openInstallation(folder, nothingGiven)).rejects.toThrow(/secrets\.key is empty/);
  writeFileSync(join(folder, "secrets.key"), secretsKey);
  expect((await openInstallation(folder, nothingGiven)).secretsKey).toBe(secretsKey);
});
