import type { z } from "@hono/zod-openapi";
import { receiveEventEndpoint } from "../kit/event.ts";
import { planChanged } from "../portal-service/events.ts";
import { organizationDeleted } from "../security-service/events.ts";

export const receiveEvent = receiveEventEndpoint([planChanged, organizationDeleted], {
  nothingBecause: "A plan is recorded where it is subscribed to, a deletion where it is asked for",
});
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
