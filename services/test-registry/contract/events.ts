import { z } from "@hono/zod-openapi";
import { apiDeleted } from "../../api-registry/contract/events.ts";
import { event, receiveEventEndpoint } from "../../kit/contract/event.ts";

const one = z.object({ apiId: z.uuid(), testId: z.uuid() });

export const testCreated = event("test.created", one);
export const testChanged = event("test.changed", one);
/** Those deleted at once: a test, or all of an API in several events. */
export const testsDeleted = event("tests.deleted", z.object({ apiId: z.uuid(), testIds: z.array(z.uuid()).max(500) }));

export type TestEvent = z.infer<typeof testCreated> | z.infer<typeof testChanged> | z.infer<typeof testsDeleted>;

export const receiveEvent = receiveEventEndpoint([apiDeleted], "test");
export type ReceivedEvent = z.infer<typeof apiDeleted>;
