import { z } from "@hono/zod-openapi";
import { type Audited, endpoint, identifier, moment } from "./endpoint.ts";

/** `type` is in the past tense (`api.deleted`); the payload holds what consumers need. */
export function event<Type extends string, Payload extends z.ZodType>(type: Type, payload: Payload) {
  return z.object({ id: identifier, type: z.literal(type), organizationId: identifier, occurredAt: moment, payload });
}

export type EventSchema = ReturnType<typeof event<string, z.ZodType>>;
/** As it is transmitted. */
export type Event<Payload = unknown> = {
  id: string;
  type: string;
  organizationId: string;
  occurredAt: string;
  payload: Payload;
};

/** Any type, as stored by the publisher; the consumer validates the payload. */
export const storedEvent = z.object({
  id: identifier,
  type: z.string(),
  organizationId: identifier,
  occurredAt: moment,
  payload: z.unknown(),
});

/** Delivers other services' events to a service: at least once, in order by resource. */
export function receiveEventEndpoint<const Events extends readonly [EventSchema, ...EventSchema[]]>(
  events: Events,
  audit: Audited,
) {
  return endpoint({
    method: "post",
    path: "/internal/v1/events",
    access: "internal",
    audit,
    summary: "Receives an event of another service",
    body: z.discriminatedUnion("type", events),
    status: 204,
  });
}

type ReceiveEvent = ReturnType<typeof receiveEventEndpoint>;

/** The event types a consumer's contract accepts. */
export function getEventTypes(endpoint: Pick<ReceiveEvent, "body">): string[] {
  return endpoint.body!.options.map((option) => option.shape.type.value);
}
