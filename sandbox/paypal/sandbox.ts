import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { z } from "zod";
import type { Clock } from "../../services/kit/clock/clock.ts";
import type { Documents, Opened } from "./documents.ts";
import type { Faults } from "./faults.ts";
import type { Step } from "./lifecycle.ts";
import { type Detail, notThere, Refusal } from "./refusal.ts";
import { type Plan, plan, type Subscription, subscription } from "./shapes.ts";
import { keepEvents, type Webhook } from "./webhooks.ts";

/** The shared parts of all the sandbox's calls. */
export interface Sandbox {
  documents: Documents;
  clock: Clock;
  faults: Faults;
  /** The address of the API, and that of the approval page for a buyer's browser. */
  places(): { base: string; publicBase: string };
  webhooks(): Webhook[];
  /** Schedules the delivery of everything due. */
  wake(): void;
}

/** Like PayPal's: letters and digits, unguessable. */
export function makeId(prefix: string, length = 12): string {
  const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  return prefix + Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join("");
}

function getDetail({ path, message }: z.core.$ZodIssue): Detail {
  return { field: `/${path.join("/")}`, issue: "INVALID_PARAMETER_VALUE", description: message, location: "body" };
}

/** @throws Refusal 400 for invalid JSON or another shape */
export async function readBody<Shape extends z.ZodType>(c: Context, shape: Shape): Promise<z.output<Shape>> {
  const body: unknown = await c.req.json().catch(() => {
    throw new Refusal(400, [{ issue: "MALFORMED_REQUEST_JSON", description: "The request JSON is not well formed." }]);
  });
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw new Refusal(400, parsed.error.issues.map(getDetail));
  return parsed.data;
}

const storedResponse = z.object({ status: z.number(), body: z.unknown() });

/** Repeats the first response for a repeated `PayPal-Request-Id`, so that nothing is created twice. */
export async function once(
  c: Context,
  opened: Opened,
  make: () => Promise<{ status: 200 | 201; body: unknown }>,
): Promise<{ status: 200 | 201; body: unknown }> {
  const requestId = c.req.header("paypal-request-id");
  if (!requestId) return await make();
  const key = `${c.req.path} ${requestId}`;
  const stored = await opened.find("answer", storedResponse, key);
  if (stored) return { status: 200, body: stored.body };
  const made = await make();
  await opened.put("answer", key, made);
  return made;
}

export async function requirePlan(opened: Opened, id: string): Promise<Plan> {
  const found = await opened.find("plan", plan, id);
  if (!found) throw notThere();
  return found;
}

export async function requireSubscription(opened: Opened, id: string): Promise<Subscription> {
  const found = await opened.find("subscription", subscription, id);
  if (!found) throw notThere();
  return found;
}

/** Stores the new state of a subscription, its transactions and its events. */
export async function keepStep(sandbox: Sandbox, opened: Opened, step: Step): Promise<Subscription> {
  const { subscription: changed, transactions, happened } = step;
  await opened.put("subscription", changed.id, changed);
  for (const one of transactions) {
    const id = makeId("", 17);
    await opened.put("transaction", id, { ...one, id });
  }
  await keepEvents(opened, changed, happened, sandbox.places(), sandbox.clock.now());
  if (happened.length > 0) sandbox.wake();
  return changed;
}
