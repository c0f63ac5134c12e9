import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { runAssurance } from "../support/command-line.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

let portal: PortalProcess;
let environment: Record<string, string>;
let listTests: () => Promise<string[]>;
const folder = mkdtempSync(join(tmpdir(), "imported-"));

const responses = { default: { description: "ok" } };
const document = JSON.stringify({
  ...{ openapi: "3.0.3", info: { title: "Pets", version: "1" }, servers: [{ url: "https://pets.example.com" }] },
  paths: { "/pets": { get: { responses } } },
});

beforeAll(async () => {
  portal = await startPortalProcess({ environment: { LOG_LEVEL: "error" } });
  const { apiRegistry, testRegistry, securityService } = await signInToBackend(portal);
  const { id: apiId } = requireValue(await apiRegistry.registerApi({ body: { source: { document } } }), "API");
  const scopes = ["apis:read", "tests:read", "tests:write"] as const;
  const token = requireValue(
    await securityService.createApiToken({ body: { name: "Import", scopes: [...scopes] } }),
    "token",
  );
  environment = { ASSURANCE_URL: portal.origin, ASSURANCE_TOKEN: token.token };
  listTests = async () =>
    requireValue(await testRegistry.listTests({ params: { apiId }, query: {} }), "tests").items.map(({ name }) => name);
  mkdirSync(join(folder, "shop"));
  writeFileSync(join(folder, "shop/bruno.json"), '{"version":"1","name":"Shop","type":"collection"}');
  writeFileSync(
    join(folder, "shop/list.bru"),
    "meta {\n  name: List\n}\n\nget {\n  url: https://pets.example.com/pets\n}\n\nassert {\n  res.status: eq 200\n  res.body: isTruthy\n}\n",
  );
}, 120_000);
afterAll(async () => {
  await portal.stop();
  rmSync(folder, { recursive: true });
});

const run = (...given: string[]) => runAssurance(["import", ...given], { environment, cwd: folder });

test("a folder is shown with its losses by file and line, and imported once that is confirmed", async () => {
  const shown = await run("shop", "--api", "pets", "--dry-run");
  expect([shown.code, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toContain("Shop (bruno): 1 request\n  into Pets\n  1 new test, 0 changed, 0 there already");
  expect(shown.stdout).toContain("\n+ test List  list.bru");
  expect(shown.stdout).toContain("\nlist.bru:11: assertion res.body: isTruthy: No assertion says the same.");
  expect(await listTests()).toEqual([]);

  const unasked = await run("shop", "--api", "pets");
  expect([unasked.code, unasked.stderr]).toEqual([3, expect.stringContaining("--yes")]);
  expect(await listTests()).toEqual([]);

  const done = await run("shop", "--api", "pets", "--yes");
  expect(done.code).toBe(0);
  expect(done.stdout).toContain("Imported into Pets: 1 test, 0 circles, 0 credentials.\n");
  expect(await listTests()).toEqual(["List"]);

  const again = await run("shop", "--api", "pets", "--dry-run");
  expect(again.stdout).toContain("0 new tests, 0 changed, 1 there already");
  expect(again.stdout).toContain("\n= test List, unchanged  list.bru");
});

test("without a target, or with a file that is no collection, nothing is imported", async () => {
  const nowhere = await run("shop");
  expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringContaining("--new-api")]);
  writeFileSync(join(folder, "other.json"), "{}");
  const unknown = await run("other.json", "--api", "pets", "--yes");
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("No known format")]);
});
