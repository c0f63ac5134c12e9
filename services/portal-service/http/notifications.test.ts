import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NotificationState } from "#contracts/portal-service/notifications.ts";
import type { ReceivedEvent } from "#contracts/portal-service/received-events.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import type { PaymentProvider } from "../payment/provider.ts";
import { createPortalWorld, type PortalWorld } from "../testing/world.ts";

type Client = ReturnType<PortalWorld["member"]>;

const hour = 60 * 60 * 1_000;

async function getList(client: Client) {
  return requireValue(await client.listNotifications(), "listNotifications");
}

async function getSummaries(client: Client) {
  return (await getList(client)).map(({ summary }) => summary);
}

/** The plan announcement of a new user. */
async function getAnnouncement(client: Client) {
  const found = (await getList(client)).find(({ type }) => type === "ANNOUNCEMENT");
  if (!found) throw new Error("nothing was announced");
  return found;
}

function setState(client: Client, notificationId: string, state: NotificationState) {
  return client.setNotificationState({ params: { notificationId }, body: { state } });
}

/** A payment provider is configured; its responses belong to another test. */
const silentProvider = {
  listReported: async () => ({ subscriptionIds: [], refunds: [] }),
} as unknown as PaymentProvider;

for (const engine of testEngines()) {
  let database: Database;
  let world: PortalWorld;

  beforeAll(async () => {
    database = await engine.open();
    world = await createPortalWorld(database, { provider: silentProvider });
    await world.choosePlan("team");
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  test(`${engine.name}: a new state may be sent as bare text`, async () => {
    const client = world.member();
    const [{ id: notificationId } = { id: "" }] = await getList(client);
    const set = (body: string) => client.setNotificationState({ params: { notificationId }, body: body as never });
    expect(await set("PENDING")).toMatchObject({ value: { state: "PENDING" } });
    expect((await set("DONE")).status).toBe(422);
  });

  test(`${engine.name}: billing managers are asked once to subscribe to the picked plan, at the first listing`, async () => {
    const client = world.member();
    expect(await getList(client)).toMatchObject([
      { type: "ANNOUNCEMENT", state: "NEW", priority: 3, action: "SUBSCRIBE_TO_SERVICE", subscriptionId: null },
      { type: "NOTIFICATION", state: "NEW", priority: 1, action: null, summary: "Welcome to API Assurance" },
    ]);
    expect(await getList(client)).toHaveLength(2);
  });

  test(`${engine.name}: the welcome ends with the first API, and who comes later is not asked to register one`, async () => {
    const organizationId = await world.addOrganization();
    const first = world.member({ organizationId });
    expect(await getList(first)).toMatchObject([
      { state: "NEW", description: expect.stringMatching(/^Register your first API/) },
    ]);
    const occurredAt = world.clock.now().toISOString();
    const payload = { apiId: uuidv7(), name: "Shop" };
    const body = { id: uuidv7(), organizationId, occurredAt, type: "api.registered", payload } as const;
    expect(await (await world.serviceFor(organizationId)).receiveEvent({ body })).toMatchObject({ ok: true });
    expect(await getList(first)).toMatchObject([{ state: "COMPLETED" }]);
    const later = await getList(world.member({ organizationId }));
    expect(later).toMatchObject([{ state: "NEW", description: expect.stringMatching(/^The dashboard shows/) }]);
  });

  test(`${engine.name}: ten simultaneous listings create nothing twice`, async () => {
    const client = world.member();
    const lists = await Promise.all(Array.from({ length: 10 }, () => getList(client)));
    expect(lists.at(-1)).toHaveLength(2);
    expect(await getList(client)).toHaveLength(2);
  });

  test(`${engine.name}: users who picked no plan, or a free one, are not asked to subscribe`, async () => {
    for (const picked of [null, "free", "a plan that was withdrawn"]) {
      const organizationId = await world.addOrganization(picked);
      expect(await getSummaries(world.member({ organizationId }))).toEqual(["Welcome to API Assurance"]);
    }
  });

  test(`${engine.name}: a near limit is reported to billing managers once per limit and period`, async () => {
    const organizationId = await world.addOrganization();
    const client = world.member({ organizationId });
    const listSummaries = async () => (await getSummaries(client)).filter((summary) => summary.includes("used"));
    const service = await world.serviceFor(organizationId);
    const receive = async (event: Pick<ReceivedEvent, "type" | "payload">) => {
      const occurredAt = world.clock.now().toISOString();
      const body = { id: uuidv7(), organizationId, occurredAt, ...event } as ReceivedEvent;
      expect(await service.receiveEvent({ body })).toMatchObject({ ok: true });
    };
    const month = () => world.clock.now().toISOString().slice(0, 7);
    const ended = (executions: number) =>
      receive({ type: "executions.counted", payload: { month: month(), executions } });
    expect(await listSummaries()).toEqual([]);
    await receive({ type: "user.created", payload: { userId: uuidv7(), roles: ["ADMIN"] } });
    await receive({ type: "api.registered", payload: { apiId: uuidv7(), name: "Shop" } });
    await ended(15_999);
    expect(await listSummaries()).toEqual([]);
    await ended(1);
    expect(await listSummaries()).toEqual(["16,000 of 20,000 executions a month are used"]);
    await ended(3_000);
    await receive({ type: "api.registered", payload: { apiId: uuidv7(), name: "Stock" } });
    const both = ["2 of 2 APIs are used", "16,000 of 20,000 executions a month are used"];
    expect(await listSummaries()).toEqual(both);
    const reader = world.member({ organizationId, scopes: ["apis:read"] });
    expect(await getSummaries(reader)).toEqual(["Welcome to API Assurance"]);
    world.clock.moveTo(new Date(Date.UTC(world.clock.now().getUTCFullYear(), world.clock.now().getUTCMonth() + 1, 2)));
    await ended(18_000);
    expect(await listSummaries()).toEqual(["18,000 of 20,000 executions a month are used", ...both]);
  });

  test(`${engine.name}: skipped scheduled runs are reported to billing managers once per month`, async () => {
    const organizationId = await world.addOrganization();
    const client = world.member({ organizationId });
    const listSummaries = async () => (await getSummaries(client)).filter((summary) => summary.includes("skipped"));
    const service = await world.serviceFor(organizationId);
    const skip = async () => {
      const now = world.clock.now().toISOString();
      const event = { type: "runs.skipped" as const, payload: { month: now.slice(0, 7) } };
      const body = { id: uuidv7(), organizationId, occurredAt: now, ...event } as ReceivedEvent;
      expect(await service.receiveEvent({ body })).toMatchObject({ ok: true });
    };
    expect(await listSummaries()).toEqual([]);
    await skip();
    await skip();
    for (let looks = 0; looks < 2; looks += 1) expect(await listSummaries()).toEqual(["Scheduled runs are skipped"]);
    const reader = world.member({ organizationId, scopes: ["apis:read"] });
    expect(await getSummaries(reader)).toEqual(["Welcome to API Assurance"]);
    world.clock.moveTo(new Date(Date.UTC(world.clock.now().getUTCFullYear(), world.clock.now().getUTCMonth() + 1, 2)));
    expect(await listSummaries()).toHaveLength(1);
    await skip();
    expect(await listSummaries()).toHaveLength(2);
  });

  test(`${engine.name}: operators and users who do not manage billing are not asked to subscribe`, async () => {
    expect(await getSummaries(world.operator)).toEqual(["Welcome to API Assurance"]);
    const reader = world.member({ scopes: ["apis:read", "tests:read"] });
    expect(await getSummaries(reader)).toEqual(["Welcome to API Assurance"]);
  });

  test(`${engine.name}: while security-service is away the list contains the stored ones, and catches up later`, async () => {
    const known = world.member();
    await getList(known);
    const newcomer = world.member();
    world.sendSecurityAway(true);
    try {
      expect(await getList(known)).toHaveLength(2);
      expect(await getList(newcomer)).toEqual([]);
    } finally {
      world.sendSecurityAway(false);
    }
    expect(await getList(newcomer)).toHaveLength(2);
  });

  test(`${engine.name}: outstanding ones come first, newest before older`, async () => {
    const userId = uuidv7();
    const client = world.member({ userId });
    const { id } = await getAnnouncement(client);
    await client.completeNotification({ params: { notificationId: id } });
    const billing = await world.serviceFor();
    await billing.announcePaymentApproval({ body: { userId, subscriptionId: "S-1", serviceId: "team" } });
    expect(await getSummaries(client)).toEqual([
      "Approve the payment for Team",
      "Welcome to API Assurance",
      "Subscribe to Team",
    ]);
  });

  test(`${engine.name}: one notification can be read on its own`, async () => {
    const client = world.member();
    const announcement = await getAnnouncement(client);
    const result = await client.getNotification({ params: { notificationId: announcement.id } });
    expect(result).toMatchObject({ ok: true, value: announcement });
  });

  test(`${engine.name}: continuing makes it pending, completing ends it, and both may be repeated`, async () => {
    const client = world.member();
    const { id } = await getAnnouncement(client);
    for (const _ of [1, 2])
      expect(await setState(client, id, "PENDING")).toMatchObject({ value: { state: "PENDING" } });
    for (const _ of [1, 2]) {
      const completed = await client.completeNotification({ params: { notificationId: id } });
      expect(completed).toMatchObject({ value: { state: "COMPLETED" } });
    }
  });

  test(`${engine.name}: an ended notification is not reopened`, async () => {
    const client = world.member();
    const { id } = await getAnnouncement(client);
    await client.completeNotification({ params: { notificationId: id } });
    expect(await setState(client, id, "PENDING")).toMatchObject({ status: 409, problem: { code: "conflict" } });
    expect(await client.skipNotification({ params: { notificationId: id } })).toMatchObject({ status: 409 });
  });

  test(`${engine.name}: a skipped one is new again after a day`, async () => {
    const client = world.member();
    const { id } = await getAnnouncement(client);
    await client.skipNotification({ params: { notificationId: id } });
    world.clock.advance(23 * hour);
    await client.skipNotification({ params: { notificationId: id } });
    expect(await client.getNotification({ params: { notificationId: id } })).toMatchObject({
      value: { state: "SKIPPED" },
    });
    world.clock.advance(2 * hour);
    expect(await getAnnouncement(client)).toMatchObject({ id, state: "NEW" });
    expect(await setState(client, id, "PENDING")).toMatchObject({ value: { state: "PENDING" } });
  });

  test(`${engine.name}: a permanently skipped one stays away, even when it was skipped for a day before`, async () => {
    const client = world.member();
    const { id } = await getAnnouncement(client);
    await client.skipNotification({ params: { notificationId: id } });
    await setState(client, id, "SKIPPED");
    await client.skipNotification({ params: { notificationId: id } });
    world.clock.advance(1_000 * hour);
    expect(await client.getNotification({ params: { notificationId: id } })).toMatchObject({
      value: { state: "SKIPPED" },
    });
  });

  test(`${engine.name}: only services may set failed`, async () => {
    const client = world.member();
    const { id } = await getAnnouncement(client);
    for (const state of ["FAILED", "NEW"] as const) {
      expect(await setState(client, id, state)).toMatchObject({
        status: 422,
        problem: { errors: [{ path: "state", message: "Use PENDING, COMPLETED or SKIPPED" }] },
      });
    }
    expect(await setState(client, id, "GONE" as NotificationState)).toMatchObject({ status: 422 });
  });

  test(`${engine.name}: T01: other users' notifications are not found, neither in the organization nor outside`, async () => {
    const userId = uuidv7();
    const { id } = await getAnnouncement(world.member({ userId }));
    const params = { notificationId: id };
    const strangers = [world.member(), world.member({ userId, organizationId: uuidv7() }), await world.serviceFor()];
    for (const stranger of strangers) {
      const absent = await stranger.getNotification({ params: { notificationId: uuidv7() } });
      const results = [
        await stranger.getNotification({ params }),
        await stranger.skipNotification({ params }),
        await stranger.completeNotification({ params }),
        await setState(stranger, id, "COMPLETED"),
      ];
      for (const result of results) {
        expect(result.status).toBe(404);
        expect(!result.ok && result.problem.detail).toBe(!absent.ok && absent.problem.detail);
      }
    }
    for (const stranger of strangers.slice(0, 2)) {
      expect((await getList(stranger)).map((one) => one.id)).not.toContain(id);
    }
    expect(await world.member({ userId }).getNotification({ params })).toMatchObject({ value: { state: "NEW" } });
  });

  test(`${engine.name}: notifications require a token and a well-formed id`, async () => {
    expect(await world.connect().listNotifications()).toMatchObject({ status: 401 });
    expect(await world.member().getNotification({ params: { notificationId: "7" } })).toMatchObject({ status: 400 });
  });

  test(`${engine.name}: approval of a payment is requested once per subscription, and listed first`, async () => {
    const userId = uuidv7();
    const billing = await world.serviceFor();
    const body = { userId, subscriptionId: "I-BW452GLLEP1G", serviceId: "business" };
    const requested = requireValue(await billing.announcePaymentApproval({ body }), "announcePaymentApproval");
    expect(requested).toMatchObject({
      type: "ANNOUNCEMENT",
      priority: 4,
      action: "APPROVE_SUBSCRIPTION_PAYMENT",
      subscriptionId: "I-BW452GLLEP1G",
      summary: "Approve the payment for Business",
    });
    expect(await billing.announcePaymentApproval({ body })).toMatchObject({ value: { id: requested.id } });
    const other = await billing.announcePaymentApproval({ body: { ...body, subscriptionId: "I-2" } });
    expect(other).toMatchObject({ ok: true });
    expect(await getList(world.member({ userId }))).toHaveLength(4);
  });

  test(`${engine.name}: only services announce payments, and only of existing plans`, async () => {
    const body = { userId: uuidv7(), subscriptionId: "S", serviceId: "gold" };
    expect(await world.operator.announcePaymentApproval({ body })).toMatchObject({ status: 404 });
    expect(await (await world.serviceFor()).announcePaymentApproval({ body })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "serviceId", message: "No such plan" }] },
    });
  });

  test(`${engine.name}: T02: a payment is announced only in the organization of the token`, async () => {
    const userId = uuidv7();
    const elsewhere = await world.serviceFor(uuidv7());
    await elsewhere.announcePaymentApproval({ body: { userId, subscriptionId: "S", serviceId: "team" } });
    expect(await getSummaries(world.member({ userId }))).not.toContain("Approve the payment for Team");
  });
}
