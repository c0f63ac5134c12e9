import type { z } from "@hono/zod-openapi";
import { apiDeleted } from "../api-registry/events.ts";
import { receiveEventEndpoint } from "../kit/event.ts";
import { planChanged } from "../portal-service/events.ts";
import { organizationDeleted } from "../security-service/events.ts";
import { circleDeleted, testChanged, testsDeleted } from "../test-registry/events.ts";

export const receiveEvent = receiveEventEndpoint(
  [apiDeleted, testChanged, testsDeleted, circleDeleted, planChanged, organizationDeleted],
  {
    nothingBecause: "Deletions are recorded where they are requested",
  },
);
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
