import type { z } from "@hono/zod-openapi";
import { apiDeleted, apiRegistered } from "../api-registry/events.ts";
import { receiveEventEndpoint } from "../kit/event.ts";
import { organizationDeleted, userChanged, userCreated } from "../security-service/events.ts";
import { executionsCounted, runsSkipped } from "../test-executioner/events.ts";
import { testCreated, testsCreated, testsDeleted } from "../test-registry/events.ts";

/** Events that usage is counted from. */
export const receiveEvent = receiveEventEndpoint(
  [
    apiRegistered,
    apiDeleted,
    testCreated,
    testsCreated,
    testsDeleted,
    executionsCounted,
    runsSkipped,
    userCreated,
    userChanged,
    organizationDeleted,
  ],
  {
    nothingBecause: "Changes are recorded where they are made",
  },
);
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
