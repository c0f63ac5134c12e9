import { z } from "@hono/zod-openapi";

/** Who started a run. Names are as they were then: an account or a schedule may be gone or called otherwise by now. */
export const runStarter = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("user"),
      userId: z.uuid(),
      name: z.string(),
      apiToken: z.string().optional().describe("Name of the API token, where a program of theirs started it."),
    }),
    z.object({
      kind: z.literal("schedule"),
      scheduleId: z.uuid(),
      name: z.string().nullable().describe("Null where it has none."),
    }),
  ])
  .openapi("RunStarter");
export type RunStarter = z.infer<typeof runStarter>;
