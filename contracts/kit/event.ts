import { z } from "@hono/zod-openapi";
import { type Audited, endpoint, identifier, moment } from "./endpoint.ts";

/** Declares an event: what happened, in the past tense (`api.deleted`), and what a consumer needs to know of it. */
export function event<Type extends string, Payload extends z.ZodType>(type: Type, payload: Payload) {
  return z.object({ id: identifier, type: z.literal(type), organizationId: identifier, occurredAt: moment, payload });
}

export type EventSchema = ReturnType<typeof event<string, z.ZodType>>;
/** As it travels. */
export type Event<Payload = unknown> = {
  id: string;
  type: string;
  organizationId: string;
  occurredAt: string;
  payload: Payload;
};

/** Of any type, as it lies with its publisher; whether its payload is what the type says is its consumer's to see. */
export const storedEvent = z.object({
  id: identifier,
  type: z.string(),
  organizationId: identifier,
  occurredAt: moment,
  payload: z.unknown(),
});

/** The one call by which a service is told of others' events. It comes at least once, in order by resource. */
export function receiveEventEndpoint<const Events extends readonly [EventSchema, ...EventSchema[]]>(
  events: Events,
  audit: Audited,
) {
  return endpoint({
    method: "post",
    path: "/internal/v1/events",
    access: "internal",
    audit,
    summary: "Takes an event of another service",
    body: z.discriminatedUnion("type", events),
    status: 204,
  });
}

type ReceiveEvent = ReturnType<typeof receiveEventEndpoint>;

/** Which events a consumer's contract takes. */
export function eventTypesOf(endpoint: Pick<ReceiveEvent, "body">): string[] {
  return endpoint.body!.options.map((option) => option.shape.type.value);
}
