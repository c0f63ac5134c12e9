import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { openPostgresDatabase } from "../../services/kit/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { storedRows } from "../../services/kit/testing/stored-rows.ts";
import { repetitions, reportFigure } from "../support/endurance.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { administrator } from "../support/portal-process.ts";
import { type Program, serverProgram, startProgram } from "../support/program.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let database: TestDatabase;
let location: string;
let origin: string | undefined;
let program: Program;
let backend: PortalBackend;
const outputs: string[] = [];
/** The parameters that PayPal appended to return addresses. */
const tokens: string[] = [];

beforeAll(async () => {
  [sandbox, database] = await Promise.all([openPayPalSandbox(() => origin), createTestDatabase()]);
  location = mkdtempSync(join(tmpdir(), "portal-payments-"));
  await start();
});
afterAll(async () => {
  await program.kill();
  await sandbox.stop();
  await database.drop();
  rmSync(location, { recursive: true, force: true });
});
afterEach(async () => {
  sandbox.clearFaults();
  for (const { id, state } of await subscriptions()) {
    if (state !== "CANCELLED" && state !== "EXPIRED")
      await backend.portalService.cancelSubscription({ params: { subscriptionId: id } });
  }
});

/** A portal on the same database as the previous one. */
async function start(): Promise<void> {
  program = startProgram(serverProgram, {
    DATABASE_URL: database.url,
    DATA_DIRECTORY: location,
    SECRETS_KEY: "one key for the portal that sells",
    ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "trace",
    ...sandbox.environment,
  });
  origin = await program.says(/portal is ready at ([^\s"]+)/);
  backend = await signInToBackend({ origin, ...administrator });
}

async function restart(): Promise<void> {
  outputs.push(program.output());
  await program.kill();
  sandbox.clearFaults();
  await start();
}

const subscribe = () => backend.portalService.createSubscription({ body: { serviceId: "team" } });
const subscribed = async () => requireValue(await subscribe(), "subscribing");
const subscriptions = async () =>
  requireValue(await backend.portalService.listSubscriptions({ query: { limit: 200 } }), "listing").items;
const read = async (subscriptionId: string) =>
  requireValue(await backend.portalService.getSubscription({ params: { subscriptionId } }), "reading");

const isLive = ({ state }: Subscription) => state !== "CANCELLED" && state !== "EXPIRED";
/** At PayPal, those that were created for one of ours. */
async function atPayPal(own: Pick<Subscription, "id">) {
  return (await sandbox.subscriptions()).filter(({ custom_id }) => custom_id === own.id);
}

async function untilMet(calls: number): Promise<void> {
  while (sandbox.hung() <= calls) await pause(1);
}

/** The buyer approves, but does not return. */
async function approve({ approveUrl }: Subscription): Promise<URL> {
  const back = await sandbox.decide(approveUrl!, "approve");
  for (const name of ["ba_token", "token"]) tokens.push(back.searchParams.get(name)!);
  return back;
}

/** After a kill at `moment` of subscribing: pressed once more, there is one subscription, here and at PayPal. */
async function oneAfterKill(moment: () => Promise<void>): Promise<void> {
  const lost = subscribe().catch(() => undefined);
  await moment();
  await restart();
  await lost;
  const again = await subscribed();
  expect(again.approveUrl).toContain("ba_token=");
  const live = (await subscriptions()).filter(isLive);
  expect(live.map(({ id }) => id)).toEqual([again.id]);
  expect(await atPayPal(again)).toHaveLength(1);
  // None at PayPal that is unknown here: it could be approved, and paid for.
  const known = new Set((await subscriptions()).map(({ id }) => id));
  expect((await sandbox.subscriptions()).filter(({ custom_id }) => !known.has(custom_id ?? ""))).toEqual([]);
  await backend.portalService.cancelSubscription({ params: { subscriptionId: again.id } });
}

test("P06: killed between PayPal's creation and the local write, it is one subscription here and at PayPal", async () => {
  const call = "POST /v1/billing/subscriptions";
  const calls = sandbox.hung();
  // PayPal created it; its response never arrived.
  sandbox.switchOn({ kind: "hang", call, after: true, times: 1 });
  await oneAfterKill(() => untilMet(calls));
  const random = repetitions(1, 50);
  for (let round = 0; round < random; round += 1) {
    // From before the first row to after the last response.
    await oneAfterKill(() => pause(Math.random() * 60));
  }
  reportFigure(`kills while subscribing: ${random + 1}, one subscription here and at PayPal after each`);
});

test("P06: killed while a webhook is processed, it is delivered again, and counts once", async () => {
  // Before its receipt is stored; and after, while PayPal is queried about it.
  const moments = ["POST /v1/notifications/verify", "GET /v1/billing/subscriptions/I-"];
  const rounds = repetitions(1, 5);
  for (const call of Array.from({ length: rounds }, () => moments).flat()) {
    const made = await subscribed();
    const calls = sandbox.hung();
    sandbox.switchOn({ kind: "hang", call, after: true, times: 1 });
    await approve(made);
    const turn = sandbox.turn();
    await untilMet(calls);
    await restart();
    await turn;
    // As PayPal does: unacknowledged ones are delivered again.
    sandbox.clock.advance(15_000);
    await sandbox.turn();
    await expect.poll(async () => (await read(made.id)).state, { message: call }).toBe("ACTIVE");
    const params = { subscriptionId: made.id };
    const { items } = requireValue(await backend.portalService.listSubscriptionEntries({ params }), "reading");
    expect(items.map(({ state }) => state)).toEqual(["ACTIVE", "PENDING_APPROVAL"]);
    const payments = requireValue(await backend.portalService.listPayments(), "reading").items;
    expect(payments.filter(({ subscriptionId }) => subscriptionId === made.id)).toHaveLength(1);
    await backend.portalService.cancelSubscription({ params });
  }
  reportFigure(`kills among webhooks: ${rounds * moments.length}, each counted once`);
});

test("P06: killed while cancelling, it is cancelled at PayPal and here without another request", async () => {
  const rounds = repetitions(1, 5);
  // Before PayPal received it; and after PayPal executed it.
  for (const after of Array.from({ length: rounds }, () => [false, true]).flat()) {
    const made = await subscribed();
    const back = await approve(made);
    const verified = await backend.portalService.verifySubscription({
      params: { providerId: back.searchParams.get("subscription_id")! },
      body: { ba_token: back.searchParams.get("ba_token")! },
    });
    expect(requireValue(verified, "coming back").state).toBe("ACTIVE");
    const calls = sandbox.hung();
    const call = `POST /v1/billing/subscriptions/${back.searchParams.get("subscription_id")}/cancel`;
    sandbox.switchOn({ kind: "hang", call, after, times: 1 });
    const params = { subscriptionId: made.id };
    const lost = backend.portalService.cancelSubscription({ params }).catch(() => undefined);
    await untilMet(calls);
    await restart();
    await lost;
    await expect.poll(async () => (await read(made.id)).state).toBe("CANCELLED");
    expect((await atPayPal(made)).map(({ status }) => status)).toEqual(["CANCELLED"]);
    const { items } = requireValue(await backend.portalService.listSubscriptionEntries({ params }), "reading");
    expect(items.map(({ text }) => text)).toContain("Cancelled by a member.");
  }
  reportFigure(`kills while cancelling: ${rounds * 2}, each cancelled afterwards`);
});

test("P01: the parameters that PayPal appends to a return are in no log line, page, later address, or row", async () => {
  const cookie = await signInForCookies(origin!, administrator);
  const results: string[] = [];
  async function follow(address: string, headers: Record<string, string>): Promise<void> {
    const response = await ask(origin!, address, { headers });
    results.push(JSON.stringify(response.headers), response.text);
    const next = response.headers.location && new URL(response.headers.location, origin);
    if (next) await follow(next.pathname + next.search, headers);
  }
  const made = await subscribed();
  const back = await approve(made);
  const address = back.pathname + back.search;
  // Signed out, while PayPal is unavailable, and in the normal case.
  await follow(address, {});
  sandbox.switchOn({ kind: "status", status: 503, call: "GET /v1/billing", after: false, times: 3 });
  await follow(address, { cookie });
  await follow(address, { cookie });
  expect((await read(made.id)).state).toBe("ACTIVE");
  await follow(`/subscriptions/${made.id}`, { cookie });
  await follow("/billing", { cookie });

  outputs.push(program.output());
  expect(outputs.join("").length).toBeGreaterThan(1_000);
  const opened = await openPostgresDatabase(database.url, { maximumConnections: 2 });
  const rows = Object.values(await storedRows(opened)).flat();
  await opened.close();
  expect(rows.join("")).toContain(made.id);
  const everywhere = { "log lines": outputs, pages: results, rows };
  for (const [where, texts] of Object.entries(everywhere)) {
    const all = texts.join("\n");
    for (const token of tokens) {
      for (const spelled of [token, encodeURIComponent(token), Buffer.from(token).toString("base64").slice(0, -4)])
        expect(all.includes(spelled), `${token} in ${where}`).toBe(false);
    }
  }
});
