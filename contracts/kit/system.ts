import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag, wholeListOf } from "./endpoint.ts";

/** What those who run the installation see and set. */
export const systemTag: Tag = { name: "System", description: "For those who run the installation." };

const waitingWork = z
  .object({
    name: z.string().describe("Which queue.").openapi({ example: "security-service-letters" }),
    waiting: z.int().describe("How much waits to be taken, or to be tried again."),
    running: z.int().describe("How much a worker has taken."),
    oldestAt: moment
      .nullable()
      .describe("Since when the oldest of it waits; null where nothing does, or where that is not kept."),
  })
  .openapi("WaitingWork");
export type WaitingWork = z.infer<typeof waitingWork>;

/** The call of every service that has work of its own to wait for. */
export const systemContract = {
  listWaitingWork: endpoint({
    method: "get",
    path: "/api/v1/system/waiting-work",
    access: "system:manage",
    tag: systemTag,
    summary: "How much work waits, and since when",
    description: "The service's own queues, of all organizations and of all processes.",
    status: 200,
    answer: wholeListOf(waitingWork),
  }),
};
