import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import { requireValue } from "../../kit/client/client.ts";
import { withoutSettings } from "../../kit/settings/settings.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../testing/target.ts";
import { toTheEnd } from "../testing/to-the-end.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

let world: ExecutionWorld;
let api: Target;
let verifiedDomainsOnly = false;

beforeAll(async () => {
  const settings = { ...withoutSettings, current: () => ({ ...defaultSettings, verifiedDomainsOnly }) };
  world = await createExecutionWorld(await testEngines()[0].open(), { settings });
  api = await startTarget((_, response) => void response.end("{}"));
});
afterEach(() => {
  verifiedDomainsOnly = false;
  api.requests.length = 0;
  api.answer((_, response) => void response.end("{}"));
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await api.close();
});

type Rule = "allowed" | "confirmed" | "refused";

async function createTenant(unsafeMethods: Rule = "allowed") {
  const tenant = await world.createTenant(api.baseUrl);
  const client = await tenant.manage();
  const domain = requireValue(await client.createDomain({ body: { name: api.host, unsafeMethods } }), "domain");
  async function start(testId: string, trigger: "manual" | "ci") {
    const body = { source: { tests: [testId] }, trigger };
    const client = trigger === "manual" ? tenant.user : tenant.client;
    const run = requireValue(await toTheEnd(client).startRun({ body }), "run");
    const { members } = requireValue(await tenant.client.getRun({ params: { runId: run.id }, query: {} }), "run");
    const params = { executionId: members.items[0]!.executionId };
    return requireValue(await tenant.client.getExecution({ params }), "execution");
  }
  return {
    ...tenant,
    start,
    async prove() {
      const { content } = domain.verification.file!;
      api.answer(({ url }, response) => void response.end(url?.includes(".well-known") ? content : "{}"));
      const checked = requireValue(await client.checkDomain({ params: { domain: domain.id } }), "check");
      expect(checked.verification.state).toBe("verified");
      api.requests.length = 0;
    },
  };
}

test("if only verified domains may be tested, nothing is sent to another until it is verified", async () => {
  verifiedDomainsOnly = true;
  const unproven = await createTenant();
  const blocked = await unproven.run((await unproven.createTest()).id);
  expect(blocked).toMatchObject({ verdict: "blocked", cause: { code: "domain_unverified" } });
  expect(blocked.cause?.detail).toContain(`${api.host} is not verified`);
  expect(api.requests).toEqual([]);

  const proven = await createTenant();
  await proven.prove();
  expect((await proven.run((await proven.createTest()).id)).verdict).toBe("passed");
  expect(api.requests).toHaveLength(1);
});

test("a redirect to an unverified domain is not followed", async () => {
  const tenant = await createTenant();
  await tenant.prove();
  const other = await startTarget((_, response) => void response.end("{}"));
  verifiedDomainsOnly = true;
  api.answer((_, response) => void response.writeHead(302, { location: `${other.baseUrl}/` }).end());
  const { id } = await tenant.createTest({ request: { followRedirects: true } as never });
  const execution = await tenant.run(id);
  expect(execution).toMatchObject({ verdict: "errored", cause: { code: "redirect_not_allowed" } });
  expect(execution.cause?.detail).toContain(`${other.host} is not verified`);
  expect(other.requests).toEqual([]);
  await other.close();
});

test("a domain that refuses unsafe methods gets safe ones only, however a run is started", async () => {
  const tenant = await createTenant("refused");
  const safe = await tenant.createTest();
  const unsafe = await tenant.createTest({ method: "delete" });
  expect((await tenant.start(safe.id, "ci")).verdict).toBe("passed");
  for (const trigger of ["manual", "ci"] as const) {
    const execution = await tenant.start(unsafe.id, trigger);
    expect(execution).toMatchObject({ verdict: "blocked", cause: { code: "unsafe_method_refused" } });
  }
  expect(api.requests.map(({ method }) => method)).toEqual(["GET"]);
  const body = { apiId: tenant.apiId, method: "delete", path: "/", request: {} };
  const sent = requireValue(await tenant.client.sendRequest({ body }), "sending");
  expect(sent.cause?.code).toBe("unsafe_method_refused");
});

test("a domain that requires confirmation of unsafe methods gets them from manually started runs", async () => {
  const tenant = await createTenant("confirmed");
  const { id } = await tenant.createTest({ method: "delete" });
  expect((await tenant.start(id, "manual")).verdict).toBe("passed");
  const execution = await tenant.start(id, "ci");
  expect(execution).toMatchObject({ verdict: "blocked", cause: { code: "unsafe_method_unconfirmed" } });
  expect(api.requests.map(({ method }) => method)).toEqual(["DELETE"]);
});
