import { randomBytes, timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import type { Logger } from "pino";
import { type Clock, systemClock } from "../../services/kit/clock/clock.ts";
import type { Database } from "../../services/kit/database/database.ts";
import { serveApproval } from "./approval.ts";
import { serveCatalog } from "./catalog.ts";
import { deliverDue, type Post, postByFetch } from "./delivery.ts";
import { openDocuments } from "./documents.ts";
import { type CallFault, type Fault, Faults } from "./faults.ts";
import type { Happening } from "./lifecycle.ts";
import { serveNotifications } from "./notifications.ts";
import { notThere, Refusal } from "./refusal.ts";
import { makeId, requirePlan, requireSubscription, type Sandbox } from "./sandbox.ts";
import { type Subscription, subscription, transaction } from "./shapes.ts";
import { serveSubscriptions, settleAll } from "./subscriptions.ts";
import { keepEvents, keepRefund, type Webhook } from "./webhooks.ts";

const tokenSeconds = 32_400;
const pauseMilliseconds = 5_000;

export interface PayPalSandboxOptions {
  database: Database;
  log: Logger;
  clientId: string;
  clientSecret: string;
  /** The app's address without a trailing slash; read at every request, since the port may be known late. */
  base(): string;
  /** The same for a buyer's browser. */
  publicBase(): string;
  webhooks(): Webhook[];
  clock?: Clock;
  post?: Post;
  /** Whether it bills and delivers as time passes; otherwise only by `turn`, for tests. */
  actsByItself?: boolean;
}

export interface PayPalSandbox {
  app: Hono;
  /** Injects a fault, for tests. */
  switchOn(fault: Fault): void;
  clearFaults(): void;
  /** Calls since the start, e.g. `POST /v1/billing/subscriptions`. */
  calls: string[];
  /** The number of calls left without a response. */
  hung(): number;
  /** All stored subscriptions in creation order. */
  subscriptions(): Promise<Subscription[]>;
  /** Changes one in a way that no call can, for tests of untrusted states. */
  tamper(
    id: string,
    change: Partial<Pick<Subscription, "plan_id" | "custom_id" | "status" | "next_billing_time" | "last_payment">>,
  ): Promise<void>;
  /**
   * Copies this plan.
   * @returns its id
   */
  copyPlan(id: string): Promise<string>;
  /** Reports events that did not happen, or happened long ago: delivered with a valid signature, at the next turn. */
  report(id: string, happened: Happening): Promise<void>;
  /** The merchant's actions on PayPal's own pages (a full or partial refund), or a reversal by a buyer's bank. */
  refund(
    transactionId: string,
    status: "REFUNDED" | "PARTIALLY_REFUNDED",
    options?: { amount?: string; isReversal?: boolean },
  ): Promise<void>;
  /** Bills everything due and delivers its events, now. */
  turn(): Promise<void>;
  /** Deletes all subscriptions and plans, and clears faults and calls. */
  forget(): Promise<void>;
  /** Stops its timer. */
  stop(): Promise<void>;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const hanging = () => new Promise<never>(() => {});

async function faulty(c: Context, fault: CallFault, faults: Faults): Promise<Response> {
  if (fault.kind === "hang") faults.hung += 1;
  if (fault.kind === "hang") return await Promise.race([hanging(), getEnd(c.req.raw.signal)]);
  if (fault.kind === "malformed") return c.text('{"id": "I-', 200, { "content-type": "application/json" });
  if (fault.kind === "html") return c.html("<!doctype html><title>Maintenance</title><h1>We'll be back soon</h1>");
  const { status, retryAfterSeconds } = fault;
  if (retryAfterSeconds !== undefined) c.header("retry-after", String(retryAfterSeconds));
  return c.json(new Refusal(status).body(), status);
}

const getEnd = (signal: AbortSignal) =>
  new Promise<Response>((resolve) => signal.addEventListener("abort", () => resolve(new Response(null))));

/**
 * Replaces PayPal when none is configured: its REST paths for catalog, subscriptions and webhooks, the page on which
 * a buyer approves, and billing as time passes. It has no dependency on the portal, which only has its base URL.
 */
export async function createPayPalSandbox(options: PayPalSandboxOptions): Promise<PayPalSandbox> {
  const { clientId, clientSecret, log, clock = systemClock, post = postByFetch, actsByItself = true } = options;
  const faults = new Faults();
  const calls: string[] = [];
  const tokens = new Map<string, number>();
  let turning = Promise.resolve();
  let woken: NodeJS.Timeout | undefined;
  const sandbox: Sandbox = {
    documents: await openDocuments(options.database),
    clock,
    faults,
    places: () => ({ base: options.base(), publicBase: options.publicBase() }),
    webhooks: options.webhooks,
    wake() {
      clearTimeout(woken);
      if (actsByItself) woken = setTimeout(() => void turn(), 50);
    },
  };

  function turn(): Promise<void> {
    turning = turning
      .then(() => settleAll(sandbox))
      .then(() => deliverDue(sandbox, post, log))
      .catch((err: unknown) => log.error({ err }, "the PayPal sandbox could not continue; it tries again"));
    return turning;
  }
  const timer = actsByItself ? setInterval(() => void turn(), pauseMilliseconds) : undefined;

  const app = new Hono();
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) log.error({ err: error }, "PayPal sandbox failed");
    const refusal = error instanceof Refusal ? error : new Refusal(500);
    return c.json(refusal.body(), refusal.status);
  });
  app.notFound((c) => c.json(new Refusal(404).body(), 404));

  app.use("/v1/*", async (c, next) => {
    const call = `${c.req.method} ${c.req.path.slice(c.req.path.indexOf("/v1/"))}`;
    calls.push(call);
    const fault = faults.takeFor(call);
    if (fault && !fault.after) return await faulty(c, fault, faults);
    if (!call.startsWith("POST /v1/oauth2/token")) {
      const token = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "")?.[1];
      if (!token || (tokens.get(token) ?? 0) <= clock.now().getTime()) throw new Refusal(401);
    }
    await next();
    if (fault) c.res = await faulty(c, fault, faults);
  });

  app.post("/v1/oauth2/token", async (c) => {
    const given = Buffer.from(c.req.header("authorization")?.replace(/^Basic /, "") ?? "", "base64").toString();
    if (!isSame(given, `${clientId}:${clientSecret}`)) {
      return c.json({ error: "invalid_client", error_description: "Client Authentication failed" }, 401);
    }
    const token = randomBytes(32).toString("base64url");
    tokens.set(token, clock.now().getTime() + tokenSeconds * 1_000);
    return c.json({ access_token: token, token_type: "Bearer", expires_in: tokenSeconds, app_id: "APP-SANDBOX" });
  });
  serveCatalog(app, sandbox);
  serveSubscriptions(app, sandbox);
  serveNotifications(app, sandbox);
  serveApproval(app, sandbox);

  return {
    app,
    calls,
    turn,
    hung: () => faults.hung,
    refund: (transactionId, status, reported) =>
      sandbox.documents.change(async (opened) => {
        const found = await opened.find("transaction", transaction, transactionId);
        if (!found) throw notThere();
        await opened.put("transaction", transactionId, { ...found, status });
        await keepRefund(opened, found, clock.now(), reported);
      }),
    subscriptions: () => sandbox.documents.change((opened) => opened.list("subscription", subscription)),
    tamper: (id, change) =>
      sandbox.documents.change(async (opened) =>
        opened.put("subscription", id, { ...(await requireSubscription(opened, id)), ...change }),
      ),
    copyPlan: (id) =>
      sandbox.documents.change(async (opened) => {
        const copy = { ...(await requirePlan(opened, id)), id: makeId("P-", 24) };
        await opened.put("plan", copy.id, copy);
        return copy.id;
      }),
    report: (id, happened) =>
      sandbox.documents.change(async (opened) =>
        keepEvents(opened, await requireSubscription(opened, id), [happened], sandbox.places(), clock.now()),
      ),
    switchOn: (fault) => faults.switchOn(fault),
    clearFaults: () => faults.clear(),
    async forget() {
      faults.clear();
      await turning;
      await sandbox.documents.change((opened) => opened.clear());
      faults.hung = 0;
      calls.length = 0;
    },
    async stop() {
      clearInterval(timer);
      clearTimeout(woken);
      await turning;
    },
  };
}
