import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";

const tag: Tag = { name: "Alert deliveries", description: "What was sent to a channel, and what came back." };

export const alertKinds = ["opened", "reminder", "recovered", "burning", "steady", "certificate", "test"] as const;
export type AlertKind = (typeof alertKinds)[number];

export const deliveryStates = ["held", "waiting", "delivered", "failed", "dropped"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const alertDelivery = z
  .object({
    id: identifier.describe("Also the header `webhook-id`, the same with every try."),
    channelId: z.uuid(),
    kind: z.enum(alertKinds),
    title: z.string().openapi({ example: "Broken: Get a book" }),
    incidentIds: z.array(z.uuid()),
    state: z
      .enum(deliveryStates)
      .describe(
        "`held`: until quiet hours or a mute are over. `waiting`: to be tried, or tried again. `dropped`: it was over before it could be told.",
      ),
    notBefore: moment.nullable().describe("With `held`: until when."),
    tries: z.number().int(),
    status: z
      .number()
      .int()
      .nullable()
      .describe("HTTP status of the last answer; null for mail and without an answer."),
    detail: z
      .string()
      .nullable()
      .describe("What came of the last try, in a sentence.")
      .openapi({ example: "hooks.example.com answered 204." }),
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
  description: "They are kept for 90 days.",
  params: z.object({ channelId: z.uuid() }),
  query: listQuery.omit({ query: true }).extend({
    state: z.enum(deliveryStates).optional().describe("Keeps those in this state"),
  }),
  status: 200,
  answer: pageOf(alertDelivery),
});

const params = z.object({ deliveryId: z.uuid() });

export const getDelivery = endpoint({
  method: "get",
  path: "/api/v1/alert-deliveries/{deliveryId}",
  access: "tests:read",
  tag,
  summary: "One delivery with what is sent",
  description: "`body` is the request's body as it goes out; of a mail, its text.",
  params,
  status: 200,
  answer: alertDelivery.extend({
    body: z.string(),
    incidents: z.array(z.object({ id: z.uuid(), title: z.string() })).describe("Those it names, at most ten."),
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
    "The same message under the same id, tried for another day. Receivers that look at `webhook-id` may know it already.",
  params,
  status: 202,
  answer: alertDelivery,
  problems: { conflict: "It is held or still being tried." },
});
