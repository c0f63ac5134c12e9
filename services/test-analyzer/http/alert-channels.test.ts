import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AlertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../../test-executioner/testing/target.ts";
import { type AlertTenant, type AlertWorld, createAlertWorld } from "../testing/alert-world.ts";

const canary = "canary7f3a";

for (const engine of testEngines()) {
  let world: AlertWorld;
  let hook: Target;
  let tenant: AlertTenant;
  beforeAll(async () => {
    world = await createAlertWorld(engine);
    hook = await startTarget((_, response) => void response.writeHead(204).end());
  });
  afterAll(async () => {
    await hook.close();
    await world.close();
  });
  beforeEach(async () => {
    hook.requests.length = 0;
    tenant = await world.createTenant();
  });

  const webhook = (changes: object = {}): AlertChannelInput => ({
    ...{ kind: "webhook", name: "Hook", enabled: true, url: `${hook.baseUrl}/alerts` },
    ...changes,
  });
  /** Throws unless the published verifier accepts the request. */
  const verified = (secret: string, { headers, text } = hook.requests.at(-1)!) =>
    new Webhook(secret).verify(text, headers as Record<string, string>) as { type: string };

  test(`${engine.name}: a test of a webhook arrives with a signature that a published verifier accepts`, async () => {
    const { id, ...channel } = await tenant.createChannel(webhook());
    const secret = channel.kind === "webhook" ? channel.secret! : "";
    const sent = requireValue(await tenant.client.testChannel({ params: { channelId: id } }), "test");
    expect(sent).toMatchObject({ kind: "test", state: "delivered", status: 204, tries: 1 });
    expect(verified(secret)).toMatchObject({ type: "test", data: { title: "Test of the channel Hook" } });
    expect(hook.requests.at(-1)!.headers["webhook-id"]).toBe(sent.id);
    expect(() => verified(`whsec_${Buffer.alloc(32).toString("base64")}`)).toThrow();
    const { headers, text, ...request } = hook.requests.at(-1)!;
    expect(() => verified(secret, { ...request, headers, text: text.replace("Hook", "Hawk") })).toThrow();
    const displayed = requireValue(await tenant.client.getChannel({ params: { channelId: id } }), "get");
    expect(displayed).not.toHaveProperty("secret");
    expect(displayed.lastDelivery).toMatchObject({ kind: "test", state: "delivered", status: 204 });
  });

  test(`${engine.name}: during a secret rotation receivers may know either secret; afterwards only the new one`, async () => {
    const { id, ...made } = await tenant.createChannel(webhook());
    const first = made.kind === "webhook" ? made.secret! : "";
    const params = { channelId: id };
    const rotated = requireValue(await tenant.client.rotateChannelSecret({ params, body: {} }), "rotate");
    if (rotated.kind !== "webhook") throw new Error("it was a webhook");
    expect(rotated.secrets).toHaveLength(2);
    await tenant.client.testChannel({ params });
    verified(first);
    verified(rotated.secret!);
    const before = world.clock.now();
    world.clock.moveTo(new Date(Date.parse(rotated.secrets[1]!.validUntil!) + 1_000));
    await tenant.client.testChannel({ params });
    world.clock.moveTo(before);
    expect(String(hook.requests.at(-1)!.headers["webhook-signature"]).split(" ")).toHaveLength(1);
  });

  test(`${engine.name}: a repeated request creates one channel and one new secret, and returns it both times`, async () => {
    const headers = { "idempotency-key": uuidv7() };
    const [made, again] = await Promise.all(
      [1, 2].map(async () => requireValue(await tenant.client.createChannel({ body: webhook(), headers }), "create")),
    );
    expect(again).toEqual(made);
    const { id, ...channel } = made!;
    const first = channel.kind === "webhook" ? channel.secret! : "";
    const params = { channelId: id };
    const rotate = async () =>
      requireValue(await tenant.client.rotateChannelSecret({ params, body: {}, headers: rotateKey }), "rotate");
    const rotateKey = { "idempotency-key": uuidv7() };
    const rotated = await rotate();
    expect(await rotate()).toEqual(rotated);
    await tenant.client.testChannel({ params });
    verified(first);
    verified(rotated.kind === "webhook" ? rotated.secret! : "");
  });

  test(`${engine.name}: a leaked secret can be revoked immediately`, async () => {
    const { id, ...made } = await tenant.createChannel(webhook());
    const params = { channelId: id };
    await tenant.client.rotateChannelSecret({ params, body: { previousHours: 0 } });
    await tenant.client.testChannel({ params });
    expect(() => verified(made.kind === "webhook" ? made.secret! : "")).toThrow();
  });

  test(`${engine.name}: the outcome of a channel test is reported: another status, a redirect, no connection`, async () => {
    const deleted = await startTarget(() => {});
    await deleted.close();
    const outcomes: unknown[] = [];
    for (const [url, status] of [
      [`${hook.baseUrl}/broken`, 500],
      [`${hook.baseUrl}/moved`, 302],
      [`${deleted.baseUrl}/`, null],
    ] as const) {
      hook.answer((_, response) => void response.writeHead(status ?? 200, { location: "/" }).end());
      const { id } = await tenant.createChannel(webhook({ url, name: url }));
      const sent = requireValue(await tenant.client.testChannel({ params: { channelId: id } }), "test");
      outcomes.push([sent.state, sent.status, sent.detail]);
    }
    hook.answer((_, response) => void response.writeHead(204).end());
    expect(outcomes).toEqual([
      ["failed", 500, `${hook.host} returned 500.`],
      ["failed", 302, `${hook.host} returned 302. Redirects are not followed: enter the address it leads to.`],
      ["failed", null, expect.stringContaining("The connection was refused")],
    ]);
    expect(hook.requests.map(({ url }) => url)).toEqual(["/broken", "/moved"]);
  });

  test(`${engine.name}: Slack and Teams get bodies in their formats, in which user texts are no mentions or links`, async () => {
    const name = "<!channel> [click](https://evil.example)";
    for (const kind of ["slack", "teams"] as const) {
      const { id } = await tenant.createChannel({ kind, name: `${kind} ${name}`, enabled: true, url: hook.baseUrl });
      await tenant.client.testChannel({ params: { channelId: id } });
    }
    const [slack, teams] = hook.requests.map(({ text }) => JSON.parse(text));
    expect(slack.text).toBe("Test of the channel slack &lt;!channel&gt; [click](https://evil.example)");
    expect(slack.blocks[0]).toMatchObject({ type: "header", text: { type: "plain_text", emoji: false } });
    expect(slack.blocks.slice(1).every(({ text }: { text: { type: string } }) => text.type === "plain_text")).toBe(
      true,
    );
    const card = teams.attachments[0];
    expect([teams.type, card.contentType, card.content.type]).toEqual([
      "message",
      "application/vnd.microsoft.card.adaptive",
      "AdaptiveCard",
    ]);
    expect(card.content.body.every(({ type }: { type: string }) => type === "RichTextBlock")).toBe(true);
    expect(hook.requests.some(({ headers }) => "webhook-signature" in headers)).toBe(false);
  });

  test(`${engine.name}: Discord and Google Chat get bodies in their formats, in which user texts are no mentions or links`, async () => {
    const name = "@everyone <users/all> [click](https://evil.example)";
    for (const kind of ["discord", "googleChat"] as const) {
      const { id } = await tenant.createChannel({ kind, name: `${kind} ${name}`, enabled: true, url: hook.baseUrl });
      await tenant.client.testChannel({ params: { channelId: id } });
    }
    const [discord, chat] = hook.requests.map(({ text }) => JSON.parse(text));
    expect(discord.allowed_mentions).toEqual({ parse: [] });
    expect(discord.content).toContain("\\[click\\]\\(https://evil.example\\)");
    expect(discord.embeds[0]).toMatchObject({ description: expect.any(String), color: expect.any(Number) });
    const { card } = chat.cardsV2[0];
    expect(card.header.title).toContain("googleChat");
    expect(card.sections[0].widgets[0].textParagraph.text).toEqual(expect.any(String));
    expect(JSON.stringify(card.sections)).not.toContain("<users/all>");
  });

  test(`${engine.name}: the address of a Slack or Teams channel is write-only`, async () => {
    const url = `${hook.baseUrl}/services/${canary}`;
    const made = await tenant.createChannel({ kind: "slack", name: "Chat", enabled: true, url });
    const params = { channelId: made.id };
    const changed = await tenant.client.changeChannel({ params, body: { kind: "slack", name: "Chat room" } });
    const results = [made, requireValue(changed, "change"), await tenant.client.listChannels({ query: {} })];
    expect(requireValue(changed, "change")).toMatchObject({ name: "Chat room", host: hook.host });
    expect(JSON.stringify(results)).not.toContain(canary);
    await tenant.client.testChannel({ params });
    expect(hook.requests.at(-1)!.url).toBe(`/services/${canary}`);
    const { rows } = await sql<{ row: string }>`
      select channel::text as row from test_analyzer.alert_channels channel
      union all select record::text from test_analyzer.audit_records record
      union all select delivery::text from test_analyzer.alert_deliveries delivery`.execute(world.database.kysely);
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.map(({ row }) => row).join()).not.toContain(canary);
    expect(world.logged.join()).not.toContain(canary);
  });

  test(`${engine.name}: invalid input is reported at its field`, async () => {
    const errors = async (body: object) => {
      const result = await tenant.client.createChannel({ body: body as AlertChannelInput });
      if (result.ok) throw new Error("it was taken");
      return [result.status, ...(result.problem.errors ?? []).map(({ path }) => path)];
    };
    expect(await errors({ ...webhook(), name: " " })).toEqual([422, "name"]);
    expect(await errors({ ...webhook(), url: "ftp://files.example" })).toEqual([422, "url"]);
    expect(await errors({ ...webhook(), url: "hooks" })).toEqual([422, "url"]);
    expect(await errors({ kind: "slack", name: "No address" })).toEqual([422, "url"]);
    expect(await errors({ kind: "mail", name: "Nobody" })).toEqual([422, "memberIds"]);
    expect(await errors({ kind: "mail", name: "Stranger", memberIds: [uuidv7()] })).toEqual([422, "memberIds[0]"]);
    expect(await errors({ kind: "mail", name: "Odd", addresses: ["nobody"] })).toEqual([422, "addresses[0]"]);
    await tenant.createChannel(webhook());
    expect(await errors({ ...webhook(), name: "HOOK" })).toEqual([409, "name"]);
  });

  test(`${engine.name}: a channel keeps its kind, and the second of two concurrent changes is refused`, async () => {
    const { id, version } = await tenant.createChannel(webhook());
    const params = { channelId: id };
    const other = await tenant.client.changeChannel({
      params,
      body: { kind: "slack", name: "Hook", url: hook.baseUrl },
    });
    expect(other).toMatchObject({ status: 422, problem: { errors: [{ path: "kind" }] } });
    const headers = { "if-match": `"${version}"` };
    const first = await tenant.client.changeChannel({ params, body: webhook({ name: "One" }), headers });
    expect(first).toMatchObject({ ok: true, value: { name: "One", version: version + 1 } });
    const second = await tenant.client.changeChannel({ params, body: webhook({ name: "Two" }), headers });
    expect(second.status).toBe(412);
    expect((await tenant.client.deleteChannel({ params, headers })).status).toBe(412);
    expect((await tenant.client.deleteChannel({ params })).status).toBe(204);
    expect((await tenant.client.getChannel({ params })).status).toBe(404);
  });

  test(`${engine.name}: T01: another organization's channels are not found, and a viewer changes none`, async () => {
    const { id } = await tenant.createChannel(webhook());
    const sent = requireValue(await tenant.client.testChannel({ params: { channelId: id } }), "test");
    const stranger = (await world.createTenant()).client;
    const params = { channelId: id };
    const statuses = await Promise.all([
      stranger.getChannel({ params }),
      stranger.changeChannel({ params, body: webhook() }),
      stranger.deleteChannel({ params }),
      stranger.rotateChannelSecret({ params, body: {} }),
      stranger.testChannel({ params }),
      stranger.listDeliveries({ params, query: {} }),
      stranger.getDelivery({ params: { deliveryId: sent.id } }),
      stranger.sendDeliveryAgain({ params: { deliveryId: sent.id } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual(Array(8).fill(404));
    expect(requireValue(await stranger.listChannels({ query: {} }), "list").items).toEqual([]);
    const { token } = world.tokenFor({ organizationId: tenant.organizationId, scopes: ["tests:read"] });
    const viewer = world.connect({ token });
    expect((await viewer.getChannel({ params })).status).toBe(200);
    const refused = await Promise.all([
      viewer.createChannel({ body: webhook({ name: "Mine" }) }),
      viewer.changeChannel({ params, body: webhook() }),
      viewer.deleteChannel({ params }),
      viewer.rotateChannelSecret({ params, body: {} }),
      viewer.testChannel({ params }),
      viewer.listRecipients({ query: {} }),
      viewer.sendDeliveryAgain({ params: { deliveryId: sent.id } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(Array(7).fill(403));
  });

  test(`${engine.name}: channels are listed by name, page by page`, async () => {
    for (const name of ["delta", "Alpha", "charlie", "Bravo"]) await tenant.createChannel(webhook({ name }));
    const first = requireValue(await tenant.client.listChannels({ query: { limit: 3 } }), "list");
    const query = { limit: 3, cursor: first.nextCursor! };
    const rest = requireValue(await tenant.client.listChannels({ query }), "list");
    expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(["Alpha", "Bravo", "charlie", "delta"]);
    expect(rest.nextCursor).toBeNull();
    const found = requireValue(await tenant.client.listChannels({ query: { query: "ALP" } }), "list");
    expect(found.items.map(({ name }) => name)).toEqual(["Alpha"]);
  });
}
