import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { resumeExampleShop } from "../../server/example/shop-process.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { completeAccount, joinAs, mailedLink, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

const list = "/api-management/list";
const press = "/api-management/example";
const button = "Try it with an example";
const runAddress = /^\/test-management\/([^/]+)\/runs\/([^/]+)$/;

let portal: HandledPortal;
let editor: Visitor;
let viewer: Visitor;
beforeAll(async () => {
  portal = await openHandledPortal();
  [editor, viewer] = [await joinAs(portal, "EDITOR"), await joinAs(portal, "VIEWER")];
});
afterAll(() => portal.stop());

const listApis = async () => requireValue(await portal.backend.apiRegistry.listApis(), "listing the APIs").items;
const idsIn = (address: string) => {
  const [, apiId = "", runId = ""] = runAddress.exec(address) ?? [];
  return { apiId, runId };
};

test("a viewer is not offered the example, and is refused when asking for it", async () => {
  for (const page of [list, "/dashboard"]) expect((await viewer.open(page)).text).not.toContain(button);
  expect((await viewer.post(press, {})).status).toBe(403);
  expect(await listApis()).toEqual([]);
});

test("an editor gets a shop that is registered, tested, broken and explained in one press; a second adds nothing", async () => {
  expect((await editor.open("/dashboard")).text).toContain(button);
  const [first, second] = await Promise.all([
    (await editor.open(list)).submit(button),
    editor.copied().post(press, {}),
  ]);
  expect(first.address).toMatch(runAddress);
  expect(first.text).toContain("Two things are broken on purpose");
  expect(idsIn(second.address)).toEqual(idsIn(first.address));
  const third = await editor.post(press, {});
  expect(third.address).toBe(first.address);
  expect(third.text).toContain("is here already");
  expect(await listApis()).toMatchObject([{ id: idsIn(first.address).apiId, name: "Example shop", tags: ["example"] }]);

  const { testExecutioner, testAnalyzer } = portal.backend;
  const params = { runId: idsIn(first.address).runId };
  await expect
    .poll(async () => requireValue(await testExecutioner.getRun({ params }), "reading the run"), { timeout: 60_000 })
    .toMatchObject({ state: "finished", counts: { failed: 2 } });
  await expect
    .poll(async () => requireValue(await testAnalyzer.listIncidents(), "listing incidents").items.length)
    .toBeGreaterThan(0);
  const marks = requireValue(await testAnalyzer.listMarks(), "listing marks").items;
  expect(marks).toContainEqual(expect.objectContaining({ kind: "deployment", name: "Example shop 1.1" }));
  expect((await editor.open(list)).text).not.toContain(button);
});

test("when its API is deleted, the circle that is left without tests goes, and the example is offered again", async () => {
  const [api] = await listApis();
  requireValue(await portal.backend.apiRegistry.deleteApi({ params: { apiId: api!.id } }), "deleting");
  const { testRegistry } = portal.backend;
  await expect
    .poll(async () => {
      await portal.exampleShops.closeUnused();
      return requireValue(await testRegistry.listCircles(), "listing circles").items;
    })
    .toEqual([]);
  await expect(fetch(`${api!.effectiveBaseUrl}/products`).then(({ status }) => status)).resolves.toBe(404);
  expect((await editor.open(list)).text).toContain(button);
});

test("an example beyond the plan is refused with the plan's message, and nothing of it remains", async () => {
  const person = newcomer();
  const customer = portal.visit();
  const form = await customer.open("/create-account-individual");
  await form.submit("Email me a link", { email: person.email });
  const link = await mailedLink(portal, person.email, /registration/i);
  const login = await completeAccount(await customer.open(link), portal, person);
  await login.submit("log in", { password: newPassword });
  await portal.limitPlans({ tests: 3 });
  const refused = await customer.post(press, {});
  expect(refused.address).toBe(list);
  expect(refused.text).toMatch(/The example was not added.*3 tests/);
  expect(refused.text).toContain("No APIs registered yet");
});

test("where tests may not reach the shop, it is not offered, and a press says so", async () => {
  const strict = await openHandledPortal({ EGRESS_ALLOW: "10.0.0.1:80" });
  onTestFinished(() => strict.stop());
  const administrator = await strict.signIn(list);
  expect((await administrator.open(list)).text).not.toContain(button);
  expect((await administrator.post(press, {})).text).toContain("does not allow");
});

test("after a restart on its data folder the shop answers at the same address", async () => {
  const folder = mkdtempSync(join(tmpdir(), "example-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const before = await openHandledPortal({ DATA_DIRECTORY: folder });
  onTestFinished(() => before.stop());
  await (await before.signIn(list)).post(press, {});
  const api = requireValue(await before.backend.apiRegistry.listApis(), "listing").items[0]!;
  const product = `${api.effectiveBaseUrl}/products/p-1`;
  await before.exampleShops.close();
  await expect(fetch(product)).rejects.toThrow();
  const resumed = await resumeExampleShop(folder, pino({ level: "silent" }));
  onTestFinished(() => resumed?.close());
  expect((await fetch(product)).status).toBe(200);
});
