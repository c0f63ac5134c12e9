import { z } from "zod";

/** A fault injected by a test. Calls are matched by method and path; webhooks by outcome. */
export const fault = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("status"),
    status: z.union([z.literal(401), z.literal(429), z.literal(500), z.literal(503)]),
    call: z.string(),
    /** Whether the call takes effect before it fails. */
    after: z.boolean().default(false),
    times: z.number().int().default(1),
    /** Sent as Retry-After, as by a busy PayPal. */
    retryAfterSeconds: z.number().int().optional(),
  }),
  z.object({
    kind: z.literal("hang"),
    call: z.string(),
    after: z.boolean().default(false),
    times: z.number().int().default(1),
  }),
  z.object({
    /** Half of a JSON text. */
    kind: z.literal("malformed"),
    call: z.string(),
    after: z.boolean().default(true),
    times: z.number().int().default(1),
  }),
  z.object({
    /** A proxy's HTML page instead of JSON. */
    kind: z.literal("html"),
    call: z.string(),
    after: z.boolean().default(false),
    times: z.number().int().default(1),
  }),
  z.object({ kind: z.literal("webhooks"), act: z.enum(["drop", "duplicate", "reorder", "hold", "forge"]) }),
  /** An approved subscription becomes active only when the fault is cleared. */
  z.object({ kind: z.literal("delayed-activation") }),
]);
export type Fault = z.infer<typeof fault>;
export type CallFault = Extract<Fault, { call: string }>;
type WebhookAct = Extract<Fault, { kind: "webhooks" }>["act"];

export class Faults {
  #on: Fault[] = [];
  /** Calls that never got a response. */
  hung = 0;

  switchOn(fault: Fault): void {
    this.#on.push(fault);
  }

  clear(): void {
    this.#on = [];
  }

  /**
   * The fault for this call, counted down. `call` is e.g. `POST /v1/billing/subscriptions`; a fault may name a
   * prefix of it.
   */
  takeFor(call: string): CallFault | undefined {
    const found = this.#on.find((one): one is CallFault => "call" in one && call.startsWith(one.call) && one.times > 0);
    if (found) found.times -= 1;
    return found;
  }

  get delaysActivation(): boolean {
    return this.#on.some(({ kind }) => kind === "delayed-activation");
  }

  webhooks(act: WebhookAct): boolean {
    return this.#on.some((one) => one.kind === "webhooks" && one.act === act);
  }
}
