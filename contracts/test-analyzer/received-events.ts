import type { z } from "@hono/zod-openapi";
import { apiDeleted, documentImported, documentWatched } from "../api-registry/events.ts";
import { receiveEventEndpoint } from "../kit/event.ts";
import { organizationDeleted } from "../security-service/events.ts";
import { certificateSeen, locationWatched, runFinished } from "../test-executioner/events.ts";
import { circleDeleted, testChanged, testsDeleted } from "../test-registry/events.ts";

export const receiveEvent = receiveEventEndpoint(
  [
    documentImported,
    documentWatched,
    testChanged,
    testsDeleted,
    circleDeleted,
    apiDeleted,
    runFinished,
    certificateSeen,
    locationWatched,
    organizationDeleted,
  ],
  { nothingBecause: "Changes are recorded where they are made" },
);
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
