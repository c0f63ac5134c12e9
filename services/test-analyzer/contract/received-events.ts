import type { z } from "@hono/zod-openapi";
import { apiDeleted, documentImported } from "../../api-registry/contract/events.ts";
import { receiveEventEndpoint } from "../../kit/contract/event.ts";
import { organizationDeleted } from "../../security-service/contract/events.ts";
import { certificateSeen, runFinished } from "../../test-executioner/contract/events.ts";
import { circleDeleted, testChanged, testsDeleted } from "../../test-registry/contract/events.ts";

export const receiveEvent = receiveEventEndpoint(
  [
    documentImported,
    testChanged,
    testsDeleted,
    circleDeleted,
    apiDeleted,
    runFinished,
    certificateSeen,
    organizationDeleted,
  ],
  { nothingBecause: "Marks and incidents follow what is recorded where it is made" },
);
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
