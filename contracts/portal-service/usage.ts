import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";

const tag: Tag = { name: "Usage", description: "What an organization uses of its plan." };

export const usageSubjects = ["apis", "tests", "executionsPerMonth", "members"] as const;
export type UsageSubject = (typeof usageSubjects)[number];

export const usage = z
  .object({
    month: z.string().describe("The month of `executionsPerMonth`, as in `2026-04`, in UTC."),
    plan: z
      .object({ serviceId: z.string().openapi({ example: "team" }), name: z.string().openapi({ example: "Team" }) })
      .nullable()
      .describe("Null where nothing is limited: whoever operates the installation is no customer."),
    items: z.array(
      z.object({
        subject: z.enum(usageSubjects),
        used: z.number().int(),
        limit: z
          .number()
          .int()
          .nullable()
          .optional()
          .describe("null means without limit; absent where nothing is limited."),
      }),
    ),
  })
  .openapi("Usage");
export type Usage = z.infer<typeof usage>;

export const getUsage = endpoint({
  method: "get",
  path: "/api/v1/usage",
  access: "signed-in",
  tag,
  summary: "What the organization uses of its plan",
  description:
    "Counted as it happens; executions by the month they ended in, members as long as they may sign in. Retries and repeats of what failed are not counted.",
  status: 200,
  answer: usage,
  problems: { not_found: "The organization is gone." },
});

const counted = z.number().int().min(0);

export const executionHistory = z
  .object({
    months: z
      .array(z.object({ month: z.string().openapi({ example: "2026-04" }), executions: counted }))
      .describe("The last twelve, this one included, the earliest first."),
    days: z
      .array(z.object({ day: z.iso.date(), executions: counted }))
      .nullable()
      .describe(
        "Those of this month up to today, in UTC. Null where some of the month is known as its sum only, since it was counted before days were.",
      ),
  })
  .openapi("ExecutionHistory");
export type ExecutionHistory = z.infer<typeof executionHistory>;

export const getExecutionHistory = endpoint({
  method: "get",
  path: "/api/v1/usage/executions",
  access: "signed-in",
  tag,
  summary: "Executions by month, and by day of this one",
  description: "Those that count against the plan, by when they ended, in UTC.",
  status: 200,
  answer: executionHistory,
});
