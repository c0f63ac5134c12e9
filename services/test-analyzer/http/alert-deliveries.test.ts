import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../../test-executioner/testing/target.ts";
import { type AlertTenant, type AlertWorld, createAlertWorld } from "../testing/alert-world.ts";

for (const engine of testEngines()) {
  let world: AlertWorld;
  let hook: Target;
  let tenant: AlertTenant;
  let channelId: string;
  let secret: string;
  beforeAll(async () => {
    world = await createAlertWorld(engine);
    hook = await startTarget(() => {});
  });
  afterAll(async () => {
    await hook.close();
    await world.close();
  });
  beforeEach(async () => {
    hook.requests.length = 0;
    tenant = await world.createTenant();
    const made = await tenant.createChannel({ kind: "webhook", name: "Hook", enabled: true, url: hook.baseUrl });
    channelId = made.id;
    secret = made.kind === "webhook" ? made.secret! : "";
  });

  const get = async (deliveryId: string) =>
    requireValue(await tenant.client.getDelivery({ params: { deliveryId } }), "get");
  /** A failed delivery, from a test of the channel. */
  async function failedDelivery(): Promise<string> {
    hook.answer((_, response) => void response.writeHead(500).end());
    return requireValue(await tenant.client.testChannel({ params: { channelId } }), "test").id;
  }

  test(`${engine.name}: a failed delivery is sent again under its id until it arrives`, async () => {
    const deliveryId = await failedDelivery();
    let tries = 0;
    hook.answer((_, response) => {
      tries += 1;
      response.writeHead(tries < 3 ? 503 : 200).end();
    });
    const again = requireValue(await tenant.client.sendDeliveryAgain({ params: { deliveryId } }), "again");
    expect(again).toMatchObject({ id: deliveryId, state: "waiting" });
    expect((await tenant.client.sendDeliveryAgain({ params: { deliveryId } })).status).toBe(409);
    await expect.poll(async () => (await get(deliveryId)).state).toBe("delivered");
    expect(await get(deliveryId)).toMatchObject({ status: 200, tries: 4 });
    expect(hook.requests.map(({ headers }) => headers["webhook-id"])).toEqual(Array(4).fill(deliveryId));
    for (const { text, headers } of hook.requests) new Webhook(secret).verify(text, headers as Record<string, string>);
    expect((await get(deliveryId)).body).toBe(hook.requests[0]!.text);
  });

  test(`${engine.name}: an endpoint that reports its removal gets no further attempts`, async () => {
    const deliveryId = await failedDelivery();
    hook.answer((_, response) => void response.writeHead(410).end());
    await tenant.client.sendDeliveryAgain({ params: { deliveryId } });
    await expect.poll(async () => (await get(deliveryId)).state).toBe("failed");
    expect(await get(deliveryId)).toMatchObject({ status: 410, tries: 2 });
    expect(hook.requests).toHaveLength(2);
  });

  test(`${engine.name}: after its last attempt a delivery has failed, and shows the last outcome`, async () => {
    const deliveryId = await failedDelivery();
    await tenant.client.sendDeliveryAgain({ params: { deliveryId } });
    await expect.poll(async () => (await get(deliveryId)).state).toBe("failed");
    expect(await get(deliveryId)).toMatchObject({ status: 500, tries: 5, detail: `${hook.host} returned 500.` });
  });

  test(`${engine.name}: deliveries are listed newest first, page by page and by state`, async () => {
    const ids = [await failedDelivery(), await failedDelivery(), await failedDelivery()].reverse();
    const params = { channelId };
    const list = async (query: object) => requireValue(await tenant.client.listDeliveries({ params, query }), "list");
    const first = await list({ limit: 2 });
    const rest = await list({ limit: 2, cursor: first.nextCursor! });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids);
    expect((await list({ state: "delivered" })).items).toEqual([]);
    const made = await tenant.client.listDeliveries({ params, query: { cursor: "eyJhIjoxfQ" } });
    expect(made.status).toBe(400);
    expect((await tenant.client.listDeliveries({ params: { channelId: uuidv7() }, query: {} })).status).toBe(404);
  });

  test(`${engine.name}: a channel's deliveries are deleted with it, including one in progress`, async () => {
    const deliveryId = await failedDelivery();
    await tenant.client.sendDeliveryAgain({ params: { deliveryId } });
    await tenant.client.deleteChannel({ params: { channelId } });
    expect((await tenant.client.getDelivery({ params: { deliveryId } })).status).toBe(404);
    const { rows } = await sql`select 1 from test_analyzer.alert_deliveries where channel_id = ${channelId}`.execute(
      world.database.kysely,
    );
    expect(rows).toEqual([]);
  });
}
