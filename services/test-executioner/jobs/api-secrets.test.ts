import { afterAll, afterEach, expect, test } from "vitest";
import type { SecretVariable } from "#contracts/api-registry/secret-variables.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { storedRows } from "../../kit/testing/stored-rows.ts";
import { createRunWorld, type StartBody } from "../testing/run-world.ts";

const inEnvironment: Record<string, string | undefined> = {};
const readElsewhere = { kind: "environment" as const, name: "ASSURANCE_SECRET_PIN" };

for (const engine of testEngines()) {
  const { world, target, start, get, close } = await createRunWorld(await engine.open(), {
    environmentSecrets: { prefix: "ASSURANCE_SECRET_", find: (name) => inEnvironment[name] },
  });
  afterEach(() => world.settle());
  afterAll(close);

  /** A tenant whose only test sends `{{key}}` in a header, and whose server returns all headers. */
  async function prepare(secretVariables: SecretVariable[], variables: Record<string, string> = {}) {
    target.answer(({ headers }, response) => void response.end(JSON.stringify({ echo: headers })));
    const tenant = await world.createTenant(target.baseUrl);
    const params = { apiId: tenant.apiId };
    const registry = world.apiRegistry({ token: tenant.token });
    requireValue(await registry.replaceVariables({ params, body: { variables, secretVariables } }), "variables");
    const headers = [{ name: "X-Key", value: "{{key}}" }];
    const { id: testId } = await tenant.createTest({ request: { headers } as never });
    const run = async (body: StartBody) => {
      const before = target.requests.length;
      const { id } = await start(tenant, body);
      const member = (await get(tenant, id)).members.items[0]!;
      const shown = [
        await tenant.client.getExecution({ params: { executionId: member.executionId } }),
        await tenant.client.getRun({ params: { runId: id }, query: {} }),
      ];
      return {
        id,
        member,
        shown: JSON.stringify(shown),
        sent: target.requests.slice(before).map(({ headers: sent }) => sent["x-key"]),
      };
    };
    return { tenant, params, registry, testId, headers, run };
  }

  test(`${engine.name}: a secret variable of an API is sent, and neither shown nor stored anywhere in plain`, async () => {
    const { run, testId } = await prepare([{ name: "key", value: "canary-one-51" }]);
    const { member, shown, sent } = await run({ source: { tests: [testId] } });
    expect([member.verdict, sent]).toEqual(["passed", ["canary-one-51"]]);
    expect(shown).not.toContain("canary-");
    expect(shown).toContain("[secret]");
    for (const schema of ["test_executioner", "api_registry"])
      expect(JSON.stringify(await storedRows(world.database, schema))).not.toContain("canary-one");
  });

  test(`${engine.name}: a call's value precedes the circle's, this one the environment's secret, and this one the API's`, async () => {
    const { run, testId, tenant, params, registry } = await prepare([{ name: "key", value: "canary-api-52" }]);
    const staging = { name: "Staging", baseUrl: target.baseUrl };
    const items = [
      { ...staging, secretVariables: [{ name: "key", value: "canary-staging-53" }] },
      { ...staging, name: "Plain", variables: { key: "plain" } },
    ];
    requireValue(await registry.replaceEnvironments({ params, body: { items } }), "environments");
    const { id: testCircleId } = await tenant.createCircle({
      members: [{ testId }],
      environments: { [tenant.apiId]: "Staging" },
      variables: [{ name: "key", value: "of-circle" }],
    });
    const tests = { tests: [testId] };
    const on = (environment: string) => ({ source: tests, environments: { [tenant.apiId]: environment } });
    expect((await run({ source: tests })).sent).toEqual(["canary-api-52"]);
    expect((await run(on("Staging"))).sent).toEqual(["canary-staging-53"]);
    expect((await run(on("Plain"))).sent).toEqual(["plain"]);
    expect((await run({ source: { testCircleId } })).sent).toEqual(["of-circle"]);
    expect((await run({ source: { testCircleId }, variables: { key: "canary-call-54" } })).sent).toEqual([
      "canary-call-54",
    ]);
  });

  test(`${engine.name}: a value that a run gives for a secret variable is hidden too, and the same when it is repeated`, async () => {
    const { run, testId } = await prepare([{ name: "key", value: "canary-six-55" }]);
    const given = await run({ source: { tests: [testId] }, order: "parallel", variables: { key: "canary-given-56" } });
    const again = await run({ source: { runId: given.id, from: 1 } });
    for (const { sent, shown } of [given, again]) {
      expect(sent).toEqual(["canary-given-56"]);
      expect(shown).not.toContain("canary-");
    }
    expect(JSON.stringify(await storedRows(world.database, "test_executioner"))).not.toContain("canary-given");
  });

  test(`${engine.name}: a secret that can't be read ends the tests that use it, and nothing is sent`, async () => {
    const { run, testId, tenant } = await prepare([{ name: "key", value: null, reference: readElsewhere }]);
    const { id: other } = await tenant.createTest({});
    const { member, sent } = await run({ source: { tests: [testId] } });
    expect([member.verdict, sent]).toEqual(["errored", []]);
    expect(member.reason).toBe(
      "The secret variable key could not be read. The process that runs tests has no variable ASSURANCE_SECRET_PIN.",
    );
    expect((await run({ source: { tests: [other] } })).member.verdict).toBe("passed");
    inEnvironment.ASSURANCE_SECRET_PIN = "canary-env-57";
    const read = await run({ source: { tests: [testId] } });
    expect([read.member.verdict, read.sent]).toEqual(["passed", ["canary-env-57"]]);
    expect(read.shown).not.toContain("canary-");
  });

  test(`${engine.name}: a request from the editor uses secrets and hides them, and a displayed address has none`, async () => {
    const { tenant, params, headers } = await prepare([{ name: "key", value: "canary-try-58" }]);
    const request = { headers, query: [{ name: "q", value: "{{key}}" }] } as never;
    const body = { ...params, method: "get", path: "/", request };
    const before = target.requests.length;
    const sent = requireValue(await tenant.client.sendRequest({ body }), "sending");
    expect(target.requests.slice(before).map(({ headers: own }) => own["x-key"])).toEqual(["canary-try-58"]);
    const address = requireValue(await tenant.client.resolveRequest({ body }), "address");
    expect(JSON.stringify([sent, address])).not.toContain("canary-");
    expect(address.url).toContain("secret");
  });
}
