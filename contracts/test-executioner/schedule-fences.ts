import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";

export const fenceSchedules = endpoint({
  method: "post",
  path: "/internal/v1/schedule-fences",
  access: "internal",
  audit: { nothingBecause: "The change of the schedule is recorded where it is made" },
  summary: "Guarantees that nothing starts by earlier versions of schedules from now on",
  body: z.object({
    schedules: z
      .array(z.object({ scheduleId: z.uuid(), version: z.number().int() }))
      .min(1)
      .max(10_000),
  }),
  status: 204,
});
