import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";

const tag: Tag = { name: "Usage", description: "Usage of the organization's plan." };

export const usageSubjects = ["apis", "tests", "executionsPerMonth", "members"] as const;
export type UsageSubject = (typeof usageSubjects)[number];

export const usage = z
  .object({
    month: z.string().describe("The month of `executionsPerMonth`, e.g. `2026-04`, in UTC."),
    plan: z
      .object({ serviceId: z.string().openapi({ example: "team" }), name: z.string().openapi({ example: "Team" }) })
      .nullable()
      .describe("Null without limits, as for the operator's organization."),
    items: z.array(
      z.object({
        subject: z.enum(usageSubjects),
        used: z.number().int(),
        limit: z.number().int().nullable().optional().describe("null means unlimited; absent without limits."),
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
  summary: "Usage of the organization's plan",
  description:
    "Counted as it happens; executions by the month in which they ended, members as long as they may sign in. Retries and repetitions of failed tests are not counted.",
  status: 200,
  response: usage,
  problems: { not_found: "The organization was deleted." },
});

const counted = z.number().int().min(0);

export const executionHistory = z
  .object({
    months: z
      .array(z.object({ month: z.string().openapi({ example: "2026-04" }), executions: counted }))
      .describe("The last twelve, including the current one, oldest first."),
    days: z
      .array(z.object({ day: z.iso.date(), executions: counted }))
      .nullable()
      .describe(
        "The days of this month up to today, in UTC. Null when part of the month was counted before counts per day existed.",
      ),
  })
  .openapi("ExecutionHistory");
export type ExecutionHistory = z.infer<typeof executionHistory>;

export const getExecutionHistory = endpoint({
  method: "get",
  path: "/api/v1/usage/executions",
  access: "signed-in",
  tag,
  summary: "Executions per month, and per day of the current one",
  description: "Executions that count against the plan, by when they ended, in UTC.",
  status: 200,
  response: executionHistory,
});
