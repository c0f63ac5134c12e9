import type { z } from "@hono/zod-openapi";
import { apiDeleted } from "../../api-registry/contract/events.ts";
import { receiveEventEndpoint } from "../../kit/contract/event.ts";
import { planChanged } from "../../portal-service/contract/events.ts";
import { organizationDeleted } from "../../security-service/contract/events.ts";
import { circleDeleted, testChanged, testsDeleted } from "../../test-registry/contract/events.ts";

export const receiveEvent = receiveEventEndpoint(
  [apiDeleted, testChanged, testsDeleted, circleDeleted, planChanged, organizationDeleted],
  {
    nothingBecause: "Results follow what they are of, whose deletion is recorded",
  },
);
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
