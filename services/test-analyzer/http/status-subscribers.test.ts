import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { StatusPageInput } from "#contracts/test-analyzer/status-pages.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createIncidentWorld, type IncidentTenant, type IncidentWorld } from "../testing/incident-world.ts";
import { failed } from "../testing/reported-runs.ts";

const passed = undefined;
const minute = 60_000;

for (const engine of testEngines()) {
  let world: IncidentWorld;
  let tenant: IncidentTenant;
  let testCircleId: string;
  let address: string;
  beforeAll(async () => {
    world = await createIncidentWorld(engine);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    world.clock.advance(2 * 60 * minute);
    tenant = await world.createTenant();
    testCircleId = uuidv7();
    world.circles.add(testCircleId);
    ({ address } = await save());
  });

  async function save(changes: Partial<StatusPageInput> = {}) {
    const body = { title: "Bookshop", showsIncidents: true, ...changes };
    return requireValue(await tenant.client.setStatusPage({ params: { testCircleId }, body }), "save");
  }
  const visitor = () => world.connect();
  const subscribe = (email: string) => visitor().subscribeToStatus({ params: { address }, body: { email } });
  const newAddress = () => `reader-${uuidv7().slice(-8)}@example.com`;
  const mailsTo = (email: string) =>
    world.mailServer.received.filter(({ recipients }) => recipients.includes(email)).map(({ subject }) => subject);
  async function tokenFor(email: string): Promise<string> {
    const { html = "" } = await world.mailServer.newest(email, /Do you want updates/);
    return /token=([\w-]+)/.exec(html)![1]!;
  }
  async function subscribed(): Promise<{ email: string; token: string }> {
    const email = newAddress();
    requireValue(await subscribe(email), "subscribe");
    const token = await tokenFor(email);
    requireValue(await visitor().confirmSubscription({ body: { token } }), "confirm");
    return { email, token };
  }
  const list = async () =>
    requireValue(await tenant.client.listStatusSubscribers({ params: { testCircleId }, query: {} }), "list");

  test(`${engine.name}: an address receives updates only after it has confirmed, and the link says for which page`, async () => {
    const email = newAddress();
    expect(await subscribe(email)).toMatchObject({ status: 202, value: { email } });
    const token = await tokenFor(email);
    await save({ message: "Before" });
    expect(await list()).toMatchObject({ items: [], total: 0 });
    const read = requireValue(await visitor().readSubscriptionLink({ body: { token } }), "read");
    expect(read).toEqual({ email, pageTitle: "Bookshop", pageAddress: address, confirmedAt: null });
    requireValue(await visitor().confirmSubscription({ body: { token } }), "confirm");
    requireValue(await visitor().confirmSubscription({ body: { token } }), "confirm again");
    expect(await list()).toMatchObject({ items: [{ email }], total: 1 });
    await save({ message: "After" });
    const { text = "" } = await world.mailServer.newest(email, /^Bookshop: Announcement/);
    expect(text).toContain("After");
    expect(mailsTo(email)).toHaveLength(2);
  });

  test(`${engine.name}: each change of an incident is one email, with a link that ends them by one POST`, async () => {
    const { email, token } = await subscribed();
    const one = tenant.knownTest("Pays");
    await tenant.run([[one, failed]], { testCircleId });
    const opened = await world.mailServer.newest(email, /^Bookshop: Pays fails/);
    await tenant.run([[one, failed]], { testCircleId });
    await tenant.run([[one, passed]], { testCircleId });
    await world.mailServer.newest(email, /^Bookshop: Resolved: Pays fails/);
    expect(mailsTo(email)).toHaveLength(3);
    const unfolded = opened.raw.replace(/\r\n\s+/g, " ");
    expect(unfolded).toMatch(/^list-unsubscribe-post: List-Unsubscribe=One-Click\r$/im);
    const [, target] = /^list-unsubscribe: <([^>\s]+)>\r$/im.exec(unfolded)!;
    const { pathname, search } = new URL(target!);
    expect(pathname).toBe("/api/test-analyzer/api/v1/status-subscribers/unsubscribe");
    const oneClick = () =>
      world.service.app.fetch(
        new Request(`http://test-analyzer${pathname.replace("/api/test-analyzer", "")}${search}`, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: "List-Unsubscribe=One-Click",
        }),
      );
    expect((await oneClick()).status).toBe(204);
    expect((await oneClick()).status).toBe(204);
    expect(await list()).toMatchObject({ items: [], total: 0 });
    expect((await visitor().readSubscriptionLink({ body: { token } })).status).toBe(404);
    await save({ message: "Later" });
    expect(mailsTo(email)).toHaveLength(3);
  });

  test(`${engine.name}: the response is the same for every address, and an address is not flooded`, async () => {
    const { email } = await subscribed();
    const other = newAddress();
    const bodies = [await subscribe(email), await subscribe(other), await subscribe(other)];
    expect(bodies.map((result) => [result.status, result.ok && Object.keys(result.value)])).toEqual(
      Array(3).fill([202, ["email"]]),
    );
    await world.mailServer.newest(other, /Do you want updates/);
    expect(mailsTo(other)).toHaveLength(1);
    expect(mailsTo(email)).toHaveLength(1);
    world.clock.advance(11 * minute);
    await subscribe(email);
    const { html = "" } = await world.mailServer.newest(email, /already/);
    expect(html).toContain("/end-status-updates?token=");
    expect((await subscribe("not an address")).status).toBe(422);
    const nowhere = await visitor().subscribeToStatus({ params: { address: "nowhere" }, body: { email } });
    expect(nowhere.status).toBe(404);
  });

  test(`${engine.name}: a link that was not used for a week has ended, and a newer one replaces it`, async () => {
    const email = newAddress();
    await subscribe(email);
    const first = await tokenFor(email);
    world.clock.advance(11 * minute);
    await subscribe(email);
    await expect.poll(() => tokenFor(email)).not.toBe(first);
    expect((await visitor().confirmSubscription({ body: { token: first } })).status).toBe(404);
    const token = await tokenFor(email);
    world.clock.advance(7 * 24 * 60 * minute + 1);
    expect((await visitor().confirmSubscription({ body: { token } })).status).toBe(404);
  });

  test(`${engine.name}: its owner removes a subscriber, another organization can't, and all go with the page`, async () => {
    const { email } = await subscribed();
    await subscribed();
    const found = (await list()).items.find((one) => one.email === email)!;
    const params = { testCircleId, subscriberId: found.id };
    const stranger = await world.createTenant();
    expect((await stranger.client.removeStatusSubscriber({ params })).status).toBe(404);
    const foreign = await stranger.client.listStatusSubscribers({ params: { testCircleId }, query: {} });
    expect(foreign.ok ? foreign.value.items : []).toEqual([]);
    requireValue(await tenant.client.removeStatusSubscriber({ params }), "remove");
    expect((await list()).total).toBe(1);
    await tenant.client.closeStatusPage({ params: { testCircleId } });
    await save();
    expect((await list()).total).toBe(0);
  });
}
