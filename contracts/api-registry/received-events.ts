import type { z } from "@hono/zod-openapi";
import { receiveEventEndpoint } from "../kit/event.ts";
import { planChanged } from "../portal-service/events.ts";
import { organizationDeleted } from "../security-service/events.ts";
import { dependenciesSeen } from "../test-executioner/events.ts";

export const receiveEvent = receiveEventEndpoint([planChanged, organizationDeleted, dependenciesSeen], {
  nothingBecause: "Subscriptions and deletions are recorded where they are requested, and what was seen is no decision",
});
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
