import { z } from "@hono/zod-openapi";
import { apiDeleted, operationsMoved } from "../api-registry/events.ts";
import { event, receiveEventEndpoint } from "../kit/event.ts";
import { planChanged } from "../portal-service/events.ts";
import { organizationDeleted } from "../security-service/events.ts";

const one = z.object({ apiId: z.uuid(), testId: z.uuid() });

export const testCreated = event("test.created", one);
/** Tests created together. */
export const testsCreated = event("tests.created", z.object({ apiId: z.uuid(), testIds: z.array(z.uuid()).max(500) }));
export const testChanged = event(
  "test.changed",
  // Optional: events from before this field existed may still be queued.
  one.extend({ name: z.string(), enabled: z.boolean().optional() }),
);
/** Tests deleted together: one test, or all of an API in several events. */
export const testsDeleted = event("tests.deleted", z.object({ apiId: z.uuid(), testIds: z.array(z.uuid()).max(500) }));

const circle = z.object({ testCircleId: z.uuid(), name: z.string() });

export const circleCreated = event("circle.created", circle);
/** Also caused by the deletion of a test or an API that it had a member of. */
export const circleUpdated = event("circle.updated", circle);
export const circleDeleted = event("circle.deleted", circle);

export type TestEvent =
  | z.infer<typeof testCreated>
  | z.infer<typeof testsCreated>
  | z.infer<typeof testChanged>
  | z.infer<typeof testsDeleted>;
export type CircleEvent = z.infer<typeof circleCreated> | z.infer<typeof circleUpdated> | z.infer<typeof circleDeleted>;

export const receiveEvent = receiveEventEndpoint(
  [apiDeleted, operationsMoved, planChanged, organizationDeleted],
  "test",
);
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
