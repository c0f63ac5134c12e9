import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AlertRuleInput } from "#contracts/test-analyzer/alert-rules.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type AlertTenant, type AlertWorld, createAlertWorld } from "../testing/alert-world.ts";

const document = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: { "/": { get: { responses: { 200: { description: "ok" } } } } },
});

for (const engine of testEngines()) {
  let world: AlertWorld;
  let tenant: AlertTenant;
  beforeAll(async () => {
    world = await createAlertWorld(engine);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    tenant = await world.createTenant();
  });

  const organization = { kind: "organization" as const };
  const createWebhook = (name: string) =>
    tenant.createChannel({ kind: "webhook", name, enabled: true, url: "https://hooks.example.com" });

  test(`${engine.name}: omitted parts of a rule take the defaults that apply without a rule`, async () => {
    expect(await tenant.createRule({})).toMatchObject({
      scope: organization,
      ...{ afterRuns: 1, onRecovery: true, severity: "high", severities: [], channelIds: [] },
    });
  });

  test(`${engine.name}: a rule with minutes and without runs waits only for the minutes`, async () => {
    const { id, afterRuns, afterMinutes } = await tenant.createRule({ afterMinutes: 30 });
    expect([afterRuns, afterMinutes]).toEqual([undefined, 30]);
    const body = { scope: organization };
    const changed = requireValue(await tenant.client.changeRule({ params: { ruleId: id }, body }), "change");
    expect([changed.afterRuns, changed.afterMinutes]).toEqual([1, undefined]);
  });

  test(`${engine.name}: each scope has one rule and can be looked up by it`, async () => {
    const apiId = await tenant.registerApi(document);
    const testCircleId = uuidv7();
    world.circles.add(testCircleId);
    const scopes = [organization, { kind: "api" as const, apiId }, { kind: "circle" as const, testCircleId }];
    const rules = [];
    const { id: channelId } = await createWebhook("Told by the circle only");
    for (const scope of scopes) {
      rules.push(await tenant.createRule({ scope, channelIds: scope.kind === "circle" ? [channelId] : [] }));
    }
    const again = await tenant.client.createRule({ body: { scope: scopes[1]! } });
    expect(again).toMatchObject({ status: 409, problem: { errors: [{ path: "scope" }] } });
    const found = async (query: object) =>
      requireValue(await tenant.client.listRules({ query }), "list").items.map(({ id }) => id);
    expect(await found({})).toEqual(rules.map(({ id }) => id));
    expect(await found({ kind: "organization" })).toEqual([rules[0]!.id]);
    expect(await found({ apiId })).toEqual([rules[1]!.id]);
    expect(await found({ testCircleId })).toEqual([rules[2]!.id]);
    const ids = rules.map(({ id }) => id);
    expect(await found({ apiId, testCircleId })).toEqual(ids.slice(1));
    expect(await found({ apiId, testCircleId, orOrganization: "true" })).toEqual(ids);
    expect(await found({ channelId })).toEqual([rules[2]!.id]);
  });

  test(`${engine.name}: invalid input is reported at its field`, async () => {
    const other = await world.createTenant();
    const foreignApi = await other.registerApi(document);
    const errors = async (body: Partial<AlertRuleInput>) => {
      const result = await tenant.client.createRule({ body: { scope: organization, ...body } as AlertRuleInput });
      if (result.ok) throw new Error("it was taken");
      return [result.status, ...(result.problem.errors ?? []).map(({ path }) => path)];
    };
    const quiet = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
    expect(await errors({ afterRuns: 0 })).toEqual([422, "afterRuns"]);
    expect(await errors({ afterMinutes: 20_000 })).toEqual([422, "afterMinutes"]);
    expect(await errors({ quietHours: { ...quiet, from: "25:00" } })).toEqual([422, "quietHours.from"]);
    expect(await errors({ quietHours: { ...quiet, timeZone: "Mars/Olympus" } })).toEqual([422, "quietHours.timeZone"]);
    expect(await errors({ quietHours: { ...quiet, timeZone: "+01:00" } })).toEqual([422, "quietHours.timeZone"]);
    expect(await errors({ channelIds: [uuidv7()] })).toEqual([422, "channelIds[0]"]);
    expect(await errors({ scope: { kind: "api", apiId: foreignApi } })).toEqual([422, "scope.apiId"]);
    expect(await errors({ scope: { kind: "circle", testCircleId: uuidv7() } })).toEqual([422, "scope.testCircleId"]);
  });

  test(`${engine.name}: a rule is changed by the version that was read, and keeps its scope`, async () => {
    const { id, version } = await tenant.createRule({});
    const params = { ruleId: id };
    const headers = { "if-match": `"${version}"` };
    const body: AlertRuleInput = { scope: organization, afterRuns: 3, remindHours: 4 } as AlertRuleInput;
    const changed = requireValue(await tenant.client.changeRule({ params, body, headers }), "change");
    expect(changed).toMatchObject({ afterRuns: 3, remindHours: 4, version: version + 1 });
    expect((await tenant.client.changeRule({ params, body, headers })).status).toBe(412);
    const moved = await tenant.client.changeRule({
      params,
      body: { ...body, scope: { kind: "circle", testCircleId: uuidv7() } },
    });
    expect(moved).toMatchObject({ status: 422, problem: { errors: [{ path: "scope" }] } });
    expect((await tenant.client.deleteRule({ params, headers })).status).toBe(412);
    expect((await tenant.client.deleteRule({ params })).status).toBe(204);
    expect((await tenant.client.getRule({ params })).status).toBe(404);
  });

  test(`${engine.name}: a deleted channel is removed from its rules`, async () => {
    const [stored, deleted] = [await createWebhook("Kept"), await createWebhook("Gone")];
    const { id } = await tenant.createRule({ channelIds: [stored.id, deleted.id, stored.id] });
    await tenant.client.deleteChannel({ params: { channelId: deleted.id } });
    const rule = requireValue(await tenant.client.getRule({ params: { ruleId: id } }), "get");
    expect(rule.channelIds).toEqual([stored.id]);
  });

  test(`${engine.name}: T01: another organization's rules are not found, and a viewer changes none`, async () => {
    const { id } = await tenant.createRule({});
    const params = { ruleId: id };
    const body = { scope: organization };
    const stranger = (await world.createTenant()).client;
    const strange = [
      await stranger.getRule({ params }),
      await stranger.changeRule({ params, body }),
      await stranger.deleteRule({ params }),
    ];
    expect(strange.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(requireValue(await stranger.listRules({ query: {} }), "list").items).toEqual([]);
    const { token } = world.tokenFor({ organizationId: tenant.organizationId, scopes: ["tests:read"] });
    const viewer = world.connect({ token });
    expect((await viewer.getRule({ params })).status).toBe(200);
    const refused = [
      await viewer.createRule({ body }),
      await viewer.changeRule({ params, body }),
      await viewer.deleteRule({ params }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
}
