import type { z } from "@hono/zod-openapi";
import { receiveEventEndpoint } from "../../kit/contract/event.ts";
import { planChanged } from "../../portal-service/contract/events.ts";

export const receiveEvent = receiveEventEndpoint([planChanged], {
  nothingBecause: "A plan is recorded where it is subscribed to",
});
export type ReceivedEvent = z.infer<NonNullable<(typeof receiveEvent)["body"]>>;
