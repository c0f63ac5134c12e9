import { z } from "@hono/zod-openapi";
import { completeListSchema, endpoint, moment, type Tag } from "./endpoint.ts";

/** For operators of the installation. */
export const systemTag: Tag = { name: "System", description: "For operators of the installation." };

const waitingWork = z
  .object({
    name: z.string().describe("Name of the queue.").openapi({ example: "security-service-letters" }),
    waiting: z.int().describe("Jobs waiting for a worker or for a retry."),
    running: z.int().describe("Jobs leased by a worker."),
    oldestAt: moment
      .nullable()
      .describe("When the oldest waiting job was queued; null when none waits, or when that is not recorded."),
  })
  .openapi("WaitingWork");
export type WaitingWork = z.infer<typeof waitingWork>;

/** The call of every service that has queues. */
export const systemContract = {
  listWaitingWork: endpoint({
    method: "get",
    path: "/api/v1/system/waiting-work",
    access: "system:manage",
    tag: systemTag,
    summary: "Number of waiting jobs, and since when",
    description: "The service's own queues, across all organizations and processes.",
    status: 200,
    response: completeListSchema(waitingWork),
  }),
};
