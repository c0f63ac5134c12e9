import { z } from "@hono/zod-openapi";
import { operation } from "../../kit/contract/operation.ts";

export const usageSubjects = ["apis", "tests", "executionsPerMonth", "members"] as const;
export type UsageSubject = (typeof usageSubjects)[number];

export const usage = z
  .object({
    /** The month of `executionsPerMonth`, as in `2026-04`, in UTC. */
    month: z.string(),
    items: z.array(
      z.object({
        subject: z.enum(usageSubjects),
        used: z.number().int(),
        /** null means without limit; absent where no plan is chosen. */
        limit: z.number().int().nullable().optional(),
      }),
    ),
  })
  .openapi("Usage");
export type Usage = z.infer<typeof usage>;

export const getUsage = operation({
  method: "get",
  path: "/api/v1/usage",
  access: "signed-in",
  summary: "What the organization uses of its plan",
  status: 200,
  answer: usage,
});
