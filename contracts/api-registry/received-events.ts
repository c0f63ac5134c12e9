import type { z } from "@hono/zod-openapi";
import { receiveEventEndpoint } from "../kit/event.ts";
import { planChanged } from "../portal-service/events.ts";
import { organizationDeleted } from "../security-service/events.ts";

export const receiveEvent = receiveEventEndpoint([planChanged, organizationDeleted], {
  nothingBecause: "Subscriptions and deletions are recorded where they are requested",
});
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
