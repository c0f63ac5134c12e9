import { afterAll, beforeAll, expect, test } from "vitest";
import type { PulledItem } from "#contracts/test-registry/code.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;

beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
afterAll(() => portal.stop());

const document = JSON.stringify({
  ...{ openapi: "3.1.0", info: { title: "Books", version: "1" }, servers: [{ url: "https://api.example.com" }] },
  paths: { "/books": { get: { responses: { 200: { description: "ok" } } } } },
});

async function pullAll() {
  const items: PulledItem[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = requireValue(await portal.backend.testRegistry.pullCode({ query: { cursor } }), "objects");
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}

/** Applies a test as files do, and waits. */
async function applyTest() {
  const { apiRegistry, testRegistry } = portal.backend;
  const { id: apiId } = requireValue(await apiRegistry.registerApi({ body: { source: { document } } }), "API");
  const pulled = requireValue(await testRegistry.pullCode(), "objects").items;
  const api = pulled.find(({ id }) => id === apiId)!;
  const value = { name: "Lists books", method: "get", path: "/books", request: {}, checks: ["not_a_server_error"] };
  const objects = [
    { kind: "api", key: api.key, value: api.value },
    { kind: "test", parent: api.key, key: "lists-books", value },
  ];
  const provenance = { repository: "https://git.example.com/shop", commit: "4f2a9c1" };
  const body = { api: api.key, objects, provenance, overwrite: true } as never;
  const { id: applicationId } = requireValue(await testRegistry.applyCode({ body }), "application");
  const read = async () =>
    requireValue(await testRegistry.getCodeApplication({ params: { applicationId } }), "application");
  await expect.poll(async () => (await read()).state).toBe("applied");
  const [stored] = requireValue(await testRegistry.listTests({ params: { apiId } }), "tests").items;
  return { apiId, test: stored! };
}

test("pages say what files hold, and the organization's page what was changed in the portal since", async () => {
  const { apiId, test: stored } = await applyTest();
  const page = `/test-management/${apiId}/tests/${stored.id}/edit`;
  expect((await visitor.open(page)).text).toContain("Managed by code");
  expect((await visitor.open(`/api-management/${apiId}/details`)).text).toContain("https://git.example.com/shop");
  expect((await visitor.open("/organization/code")).text).toContain("No differences from the files");

  const { id, apiId: _api, version, createdAt, updatedAt, ...input } = stored;
  const changed = { params: { testId: id }, body: { ...input, name: "Books manually" } };
  requireValue(await portal.backend.testRegistry.changeTest(changed), "test");
  expect((await visitor.open(page)).text).toContain("Changed here since files were applied");
  const drift = (await visitor.open("/organization/code")).text;
  expect(drift).toContain("Books manually");
  expect(drift).toContain("- key: lists-books");
  const file = (await visitor.open("/organization/code/drift.yaml")).html;
  expect(file).toMatch(/^# test [a-z0-9-]+\/lists-books\n- key: lists-books\n {2}name: Books manually\n/);
});

test("settings of a circle, windows and alert rules say that files hold them", async () => {
  const { testRegistry } = portal.backend;
  const { apiId } = await applyTest();
  const pulled = await pullAll();
  const { key: api } = pulled.find(({ id }) => id === apiId)!;
  const at = { cron: "0 2 * * 6", timeZone: "Europe/Berlin", durationMinutes: 60 };
  const objects = [
    ...pulled.map(({ kind, parent, key, value }) => ({ kind, ...(parent ? { parent } : {}), key, value })),
    { kind: "circle", key: "held", value: { name: "Held", members: [{ api }] } },
    { kind: "maintenanceWindow", key: "held", value: { name: "Held", times: { kind: "repeating", ...at } } },
    { kind: "alertRule", key: "circle-held", value: { scope: { kind: "circle", circle: "held" }, afterRuns: 2 } },
    { kind: "serviceLevel", key: "held", value: { objective: 99.5, days: 30 } },
    { kind: "statusPage", key: "held", value: { title: "Held" } },
  ];
  const provenance = { repository: "https://git.example.com/shop", commit: "4f2a9c1" };
  const body = { objects, provenance, overwrite: true } as never;
  const { id: applicationId } = requireValue(await testRegistry.applyCode({ body }), "application");
  const read = async () =>
    requireValue(await testRegistry.getCodeApplication({ params: { applicationId } }), "application");
  await expect.poll(async () => (await read()).state).toBe("applied");
  const held = (await pullAll()).filter(({ key }) => key === "held");
  const idOf = (wanted: string) => held.find(({ kind }) => kind === wanted)!.id;
  const circle = `/test-management/${apiId}/test-circles/${idOf("circle")}`;
  const window = `/test-management/maintenance-windows/${idOf("maintenanceWindow")}/edit`;
  for (const page of [window, `${circle}/alert-rules`, `${circle}/service-level`, `${circle}/status-page`])
    expect((await visitor.open(page)).text, page).toContain("Managed by code");
});
