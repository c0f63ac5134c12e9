import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { bundle } from "../../../scripts/bundle.js";
import { readableStack } from "./readable-stack.ts";

const folder = mkdtempSync(join(tmpdir(), "readable-stack-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a stack of bundled code names the source and its line; other locations are unchanged", async () => {
  const source = join(folder, "failing.ts");
  writeFileSync(source, `function fail(): never {\n  throw new Error("as told");\n}\nfail();\n`);
  await bundle({ failing: source }, join(folder, "bundled"));
  const { stderr } = spawnSync(process.execPath, [join(folder, "bundled/failing.js")], { encoding: "utf8" });
  expect(readableStack(stderr)).toContain(`at fail (${pathToFileURL(source)}:2:9)`);
  const elsewhere = "at node:internal/process:105:5\n at file:///nowhere/else.js:1:2";
  expect(readableStack(elsewhere)).toBe(elsewhere);
});
