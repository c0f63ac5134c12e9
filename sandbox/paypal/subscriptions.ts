import type { Hono } from "hono";
import type { Opened } from "./documents.ts";
import { activate, cancel, type Step, settle, suspend } from "./lifecycle.ts";
import { showRevision, showSubscription, showTransaction } from "./present.ts";
import { Refusal, unprocessable } from "./refusal.ts";
import { keepStep, makeId, once, readBody, requirePlan, requireSubscription, type Sandbox } from "./sandbox.ts";
import {
  type Approval,
  type Plan,
  reasonIfAny,
  reasonInput,
  revisionInput,
  type Subscription,
  subscription,
  subscriptionInput,
  transaction,
} from "./shapes.ts";

const getCurrency = ({ billing_cycles }: Plan) =>
  billing_cycles.find(({ pricing_scheme }) => pricing_scheme)?.pricing_scheme?.fixed_price.currency_code;

function requireCompatible(from: Plan, to: Plan): void {
  if (from.product_id !== to.product_id)
    throw unprocessable("PLAN_PRODUCT_NOT_COMPATIBLE", "The old and the new plans should be for the same product.");
  if (getCurrency(from) !== getCurrency(to))
    throw unprocessable("CURRENCY_MISMATCH", "The currency code is different from the plan's currency code.");
}

type Context = { brand_name?: string; return_url: string; cancel_url: string };

function approvalFor({ brand_name, return_url, cancel_url }: Context): Approval {
  return { ba_token: makeId("BA-", 17), token: makeId("", 17), brand_name, return_url, cancel_url };
}

const wrongState = (is: string) =>
  unprocessable("SUBSCRIPTION_STATUS_INVALID", `Invalid subscription status for the action: it is ${is}.`);

/** Bills everything due before a subscription is read. */
export async function settled(sandbox: Sandbox, opened: Opened, id: string): Promise<Subscription> {
  const found = await requireSubscription(opened, id);
  const plan = await requirePlan(opened, found.plan_id);
  const activatesItself = found.status === "APPROVED" && found.user_action === "SUBSCRIBE_NOW";
  const step =
    activatesItself && !sandbox.faults.delaysActivation
      ? activate(found, plan, sandbox.clock.now())
      : settle(found, plan, sandbox.clock.now());
  return step.subscription === found ? found : await keepStep(sandbox, opened, step);
}

/** Bills everything due before any read. */
export async function settleAll(sandbox: Sandbox): Promise<void> {
  await sandbox.documents.change(async (opened) => {
    for (const { id } of await opened.list("subscription", subscription)) await settled(sandbox, opened, id);
  });
}

/** `/v1/billing/subscriptions`. */
export function serveSubscriptions(app: Hono, sandbox: Sandbox): void {
  const { documents, clock, places } = sandbox;

  app.post("/v1/billing/subscriptions", async (c) => {
    const input = await readBody(c, subscriptionInput);
    const isWhole = c.req.header("prefer")?.includes("return=representation") ?? false;
    const { status, body } = await documents.change((opened) =>
      once(c, opened, async () => {
        const plan = await requirePlan(opened, input.plan_id);
        if (plan.status !== "ACTIVE") throw unprocessable("PLAN_STATUS_INVALID", "The plan is not active.");
        const time = clock.now().toISOString();
        const price = plan.billing_cycles.find(({ pricing_scheme }) => pricing_scheme)?.pricing_scheme?.fixed_price;
        const made: Subscription = {
          id: makeId("I-"),
          plan_id: plan.id,
          custom_id: input.custom_id,
          status: "APPROVAL_PENDING",
          status_update_time: time,
          create_time: time,
          update_time: time,
          start_time: time,
          user_action: input.application_context.user_action,
          approval: approvalFor(input.application_context),
          revision: null,
          billing_cycles: plan.billing_cycles,
          completed: {},
          next_billing_time: null,
          outstanding: { currency_code: price?.currency_code ?? "USD", value: "0.00" },
          failed_payments_count: 0,
          last_payment: null,
          last_failed_payment: null,
          declines: false,
        };
        const stored = await keepStep(sandbox, opened, {
          subscription: made,
          happened: [{ type: "CREATED" }],
          transactions: [],
        });
        const { id, status, links, ...rest } = showSubscription(stored, places());
        return { status: 201, body: isWhole ? { id, status, ...rest, links } : { id, status, links } };
      }),
    );
    return c.json(body as object, status);
  });

  app.get("/v1/billing/subscriptions/:id", async (c) => {
    const withPlan = c.req.query("fields")?.split(",").includes("plan") ?? false;
    const displayed = await documents.change(async (opened) => {
      const found = await settled(sandbox, opened, c.req.param("id"));
      return showSubscription(found, places(), withPlan ? await requirePlan(opened, found.plan_id) : undefined);
    });
    return c.json(displayed);
  });

  /** An action on a subscription in one of `states`. */
  async function act(
    id: string,
    states: Subscription["status"][],
    step: (one: Subscription, opened: Opened) => Step | Promise<Step>,
  ) {
    await documents.change(async (opened) => {
      const found = await settled(sandbox, opened, id);
      if (!states.includes(found.status)) throw wrongState(found.status);
      await keepStep(sandbox, opened, await step(found, opened));
    });
  }

  app.post("/v1/billing/subscriptions/:id/activate", async (c) => {
    const { reason } = await readBody(c, reasonIfAny);
    await act(c.req.param("id"), ["APPROVED", "SUSPENDED"], async (found, opened) =>
      activate(found, await requirePlan(opened, found.plan_id), clock.now(), reason),
    );
    return c.body(null, 204);
  });

  app.post("/v1/billing/subscriptions/:id/suspend", async (c) => {
    const { reason } = await readBody(c, reasonInput);
    await act(c.req.param("id"), ["ACTIVE"], (found) => suspend(found, clock.now(), reason));
    return c.body(null, 204);
  });

  app.post("/v1/billing/subscriptions/:id/cancel", async (c) => {
    const { reason } = await readBody(c, reasonInput);
    await act(c.req.param("id"), ["ACTIVE", "SUSPENDED", "APPROVED"], (found) => cancel(found, clock.now(), reason));
    return c.body(null, 204);
  });

  app.post("/v1/billing/subscriptions/:id/revise", async (c) => {
    const { plan_id, application_context } = await readBody(c, revisionInput);
    const result = await documents.change((opened) =>
      once(c, opened, async () => {
        const found = await settled(sandbox, opened, c.req.param("id"));
        if (found.status !== "ACTIVE") throw wrongState(found.status);
        const plan = await requirePlan(opened, plan_id);
        if (plan.status !== "ACTIVE") throw unprocessable("PLAN_STATUS_INVALID", "The plan is not active.");
        requireCompatible(await requirePlan(opened, found.plan_id), plan);
        const revision = { ...approvalFor(application_context), plan_id };
        await opened.put("subscription", found.id, { ...found, revision });
        return { status: 200, body: showRevision(found, revision, places()) };
      }),
    );
    return c.json(result.body as object, 200);
  });

  app.get("/v1/billing/subscriptions/:id/transactions", async (c) => {
    const [from, to] = [c.req.query("start_time"), c.req.query("end_time")].map((text) => new Date(text ?? ""));
    if (!from || !to || Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()))
      throw new Refusal(400, [
        { issue: "MISSING_REQUIRED_PARAMETER", description: "start_time and end_time are times.", location: "query" },
      ]);
    const id = c.req.param("id");
    const all = await documents.change(async (opened) => {
      await settled(sandbox, opened, id);
      return await opened.list("transaction", transaction);
    });
    const own = all.filter(
      ({ subscription_id, time }) => subscription_id === id && new Date(time) >= from && new Date(time) <= to,
    );
    return c.json({
      transactions: own.map(showTransaction),
      total_items: own.length,
      total_pages: 1,
      links: [{ href: `${places().base}${c.req.path}`, rel: "self", method: "GET" }],
    });
  });
}
