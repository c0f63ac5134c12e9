import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AlertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../../test-executioner/testing/target.ts";
import { createIncidentWorld, type IncidentTenant, type IncidentWorld } from "../testing/incident-world.ts";
import { failed } from "../testing/reported-runs.ts";

const passed = undefined;
const canary = "canary7f3a9b2c4d5e6f708192a3b4c5d6e7f8";

for (const engine of testEngines()) {
  let world: IncidentWorld;
  let tenant: IncidentTenant;
  let service: Target;
  beforeAll(async () => {
    world = await createIncidentWorld(engine);
    service = await startTarget((_, response) => void response.writeHead(202).end());
  });
  afterAll(async () => {
    await service.close();
    await world.close();
  });
  beforeEach(async () => {
    service.requests.length = 0;
    service.answer((_, response) => void response.writeHead(202).end());
    tenant = await world.createTenant();
  });

  const received = async (count: number) => {
    while (service.requests.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    return service.requests.map(({ text }) => JSON.parse(text));
  };
  const pager = (changes: object = {}): AlertChannelInput => ({
    ...{ kind: "pagerDuty", name: "Pager", enabled: true, url: `${service.baseUrl}/v2/enqueue`, routingKey: canary },
    ...changes,
  });
  const sendTest = async (channelId: string) =>
    requireValue(await tenant.client.testChannel({ params: { channelId } }), "test");

  test(`${engine.name}: PagerDuty gets an event for each incident and resolves it, even where recoveries are not reported`, async () => {
    const { id } = await tenant.createChannel(pager());
    await tenant.createRule({ channelIds: [id], onRecovery: false });
    const [one, other] = [tenant.knownTest("one"), tenant.knownTest("other")];
    service.answer((_, response) => void response.writeHead(service.requests.length > 1 ? 202 : 429).end());
    await tenant.run([
      [one, failed],
      [other, failed],
    ]);
    // The first attempt was refused with 429 and is repeated.
    const opened = await received(3);
    const keys = [...new Set(opened.map(({ dedup_key }) => dedup_key))];
    expect(keys).toHaveLength(2);
    expect(opened.every(({ routing_key, event_action }) => routing_key === canary && event_action === "trigger")).toBe(
      true,
    );
    await tenant.run([
      [one, passed],
      [other, passed],
    ]);
    const resolved = (await received(5)).slice(3);
    expect(resolved.map(({ event_action }) => event_action)).toEqual(["resolve", "resolve"]);
    expect(resolved.map(({ dedup_key }) => dedup_key).sort()).toEqual(keys.sort());
    // The same cause later is the same alert again.
    await tenant.run([[one, failed]]);
    expect(keys).toContain((await received(6))[5].dedup_key);
  });

  test(`${engine.name}: the key of PagerDuty and the token of Telegram are stored sealed, shown nowhere, and stay with their origin`, async () => {
    const botToken = `123456:${canary}`;
    const made = [
      await tenant.createChannel(pager()),
      await tenant.createChannel({
        ...{ kind: "telegram", name: "Chat", enabled: true, url: service.baseUrl, chatId: "-100123", botToken },
      }),
    ];
    const kept = await tenant.client.changeChannel({
      params: { channelId: made[0]!.id },
      body: pager({ routingKey: undefined, name: "Pager, night" }),
    });
    const sent = await Promise.all(made.map(({ id }) => sendTest(id)));
    expect(sent.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    expect(service.requests.map(({ url }) => url).sort()).toEqual([`/bot${botToken}/sendMessage`, "/v2/enqueue"]);
    const shown = await Promise.all([
      tenant.client.listChannels({ query: {} }),
      ...sent.map(({ id }) => tenant.client.getDelivery({ params: { deliveryId: id } })),
    ]);
    expect(JSON.stringify([made, kept, sent, shown])).not.toContain(canary);
    const { rows } = await sql<{ row: string }>`
      select channel::text as row from test_analyzer.alert_channels channel
      union all select record::text from test_analyzer.audit_records record
      union all select delivery::text from test_analyzer.alert_deliveries delivery`.execute(world.database.kysely);
    expect(rows.map(({ row }) => row).join()).not.toContain(canary);
    expect(world.logged.join()).not.toContain(canary);
    const moved = await tenant.client.changeChannel({
      params: { channelId: made[0]!.id },
      body: pager({ routingKey: undefined, url: "https://evil.example/v2/enqueue" }),
    });
    expect(moved).toMatchObject({ status: 422, problem: { errors: [{ path: "routingKey" }] } });
  });

  test(`${engine.name}: what PagerDuty or Telegram refuses for good is not sent again`, async () => {
    service.answer((_, response) => void response.writeHead(400).end());
    const { id } = await tenant.createChannel(pager());
    await tenant.createRule({ channelIds: [id] });
    await tenant.run([[tenant.knownTest("one"), failed]]);
    await received(1);
    const params = { channelId: id };
    const newest = async () =>
      requireValue(await tenant.client.listDeliveries({ params, query: {} }), "deliveries").items[0]!;
    while ((await newest()).state === "waiting") await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await newest()).toMatchObject({ state: "failed", tries: 1, detail: `${service.host} returned 400.` });
  });

  test(`${engine.name}: a webhook's own body and headers are sent signed, one request for each incident`, async () => {
    const template = {
      mediaType: "application/json" as const,
      body: '{"t":"{{incident.title}}","n":{{incident.failing}}}',
    };
    const headers = [{ name: "Authorization", value: `Bearer ${canary}` }];
    const body = { kind: "webhook" as const, name: "Own", enabled: true, url: `${service.baseUrl}/own`, template };
    const made = await tenant.createChannel({ ...body, headers });
    await tenant.createRule({ channelIds: [made.id] });
    await tenant.run([
      [tenant.knownTest('the "first"'), failed],
      [tenant.knownTest("the second"), failed],
    ]);
    expect((await received(2)).sort((one, other) => one.t.localeCompare(other.t))).toEqual([
      { t: 'the "first" fails', n: 1 },
      { t: "the second fails", n: 1 },
    ]);
    const [first] = service.requests;
    expect(first!.headers).toMatchObject({
      authorization: `Bearer ${canary}`,
      "webhook-signature": expect.any(String),
    });
    expect(made).toMatchObject({ template, headerNames: ["Authorization"] });
    const params = { channelId: made.id };
    const kept = requireValue(await tenant.client.changeChannel({ params, body }), "change");
    expect(kept).toMatchObject({ headerNames: ["Authorization"] });
    expect(JSON.stringify([made, kept])).not.toContain(canary);
    const away = await tenant.client.changeChannel({ params, body: { ...body, url: "https://evil.example" } });
    expect(away).toMatchObject({ status: 422, problem: { errors: [{ path: "headers" }] } });
    const removed = await tenant.client.changeChannel({ params, body: { ...body, template: undefined, headers: [] } });
    expect(removed).toMatchObject({ ok: true, value: { template: null, headerNames: [] } });
    await sendTest(made.id);
    const last = service.requests.at(-1)!;
    expect(JSON.parse(last.text)).toMatchObject({ type: "test" });
    expect(last.headers.authorization).toBeUndefined();
  });

  test(`${engine.name}: a wrong template, header, key or chat is refused at its field`, async () => {
    const errors = async (body: object) => {
      const result = await tenant.client.createChannel({ body: body as AlertChannelInput });
      if (result.ok) throw new Error("it was taken");
      return (result.problem.errors ?? []).map(({ path }) => path);
    };
    const webhook = { kind: "webhook", name: "Own", url: service.baseUrl };
    expect(await errors({ ...webhook, template: { body: "{{nothing}}" } })).toEqual(["template.body"]);
    expect(await errors({ ...webhook, template: { body: '{"a":' } })).toEqual(["template.body"]);
    expect(await errors({ ...webhook, headers: [{ name: "Host", value: "x" }] })).toEqual(["headers[0].name"]);
    expect(await errors({ ...webhook, headers: [{ name: "X-A", value: "a\r\nb" }] })).toEqual(["headers[0].value"]);
    expect(await errors(pager({ routingKey: undefined }))).toEqual(["routingKey"]);
    expect(await errors(pager({ routingKey: "a b" }))).toEqual(["routingKey"]);
    expect(await errors({ kind: "telegram", name: "Chat", chatId: "the team", botToken: `123456:${canary}` })).toEqual([
      "chatId",
    ]);
  });
}
