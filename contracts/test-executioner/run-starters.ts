import { z } from "@hono/zod-openapi";

/** Who started a run. Names are as of that time: accounts and schedules may since have been deleted or renamed. */
export const runStarter = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("user"),
      userId: z.uuid(),
      name: z.string(),
      apiToken: z.string().optional().describe("Name of the API token, if started with one."),
    }),
    z.object({
      kind: z.literal("schedule"),
      scheduleId: z.uuid(),
      name: z.string().nullable().describe("Null if it has none."),
    }),
  ])
  .openapi("RunStarter");
export type RunStarter = z.infer<typeof runStarter>;
