import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";

const tag: Tag = { name: "Alert deliveries", description: "Messages sent to a channel, with the response." };

export const alertKinds = ["opened", "reminder", "recovered", "burning", "steady", "certificate", "test"] as const;
export type AlertKind = (typeof alertKinds)[number];

export const deliveryStates = ["held", "waiting", "delivered", "failed", "dropped"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const alertDelivery = z
  .object({
    id: identifier.describe("Also the header `webhook-id`, the same for every attempt."),
    channelId: z.uuid(),
    kind: z.enum(alertKinds),
    title: z.string().openapi({ example: "Broken: Get a book" }),
    incidentIds: z.array(z.uuid()),
    state: z
      .enum(deliveryStates)
      .describe(
        "`held`: deferred until quiet hours or a mute end. `waiting`: to be sent or retried. `dropped`: it was over before it could be sent.",
      ),
    notBefore: moment.nullable().describe("With `held`: when the deferral ends."),
    tries: z.number().int(),
    status: z
      .number()
      .int()
      .nullable()
      .describe("HTTP status of the last response; null for email and without a response."),
    detail: z
      .string()
      .nullable()
      .describe("Result of the last attempt, in a sentence.")
      .openapi({ example: "hooks.example.com returned 204." }),
    createdAt: moment,
    triedAt: moment.nullable(),
    deliveredAt: moment.nullable(),
  })
  .openapi("AlertDelivery");
export type AlertDelivery = z.infer<typeof alertDelivery>;

export const listDeliveries = endpoint({
  method: "get",
  path: "/api/v1/alert-channels/{channelId}/deliveries",
  access: "tests:read",
  tag,
  summary: "Deliveries to a channel, newest first",
  description: "Stored for 90 days.",
  params: z.object({ channelId: z.uuid() }),
  query: listQuery.omit({ query: true }).extend({
    state: z.enum(deliveryStates).optional().describe("Only deliveries in this state"),
  }),
  status: 200,
  response: pageSchema(alertDelivery),
});

const params = z.object({ deliveryId: z.uuid() });

export const getDelivery = endpoint({
  method: "get",
  path: "/api/v1/alert-deliveries/{deliveryId}",
  access: "tests:read",
  tag,
  summary: "One delivery with its content",
  description: "`body` is the request's body as it is sent; for email, the text.",
  params,
  status: 200,
  response: alertDelivery.extend({
    body: z.string(),
    incidents: z.array(z.object({ id: z.uuid(), title: z.string() })).describe("Incidents it names, at most ten."),
  }),
});

export const sendDeliveryAgain = endpoint({
  method: "post",
  path: "/api/v1/alert-deliveries/{deliveryId}/send-again",
  access: "tests:write",
  audit: "alert delivery",
  tag,
  summary: "Sends a delivery again",
  description:
    "The same message with the same id, attempted for another day. Receivers that check `webhook-id` may know it already.",
  params,
  status: 202,
  response: alertDelivery,
  problems: { conflict: "It is deferred or still being attempted." },
});
