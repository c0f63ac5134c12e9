import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { idempotencyKey } from "../kit/headers.ts";
import { testInput, testsTag } from "./tests.ts";

/** Of one call. */
export const mostTestsInBatch = 100;

export const createdTest = z
  .object({ id: z.uuid(), name: z.string(), method: z.string(), path: z.string() })
  .openapi("CreatedTest");
export type CreatedTest = z.infer<typeof createdTest>;

export const createTests = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/tests/batch",
  mayTakeSeconds: 30,
  access: "tests:write",
  audit: "test",
  tag: testsTag,
  summary: "Creates several tests",
  description: "All or none of them. What is wrong with one is told at its fields, as in `items[3].name`.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({
    items: z.array(testInput).min(1).max(mostTestsInBatch),
    onlyUntested: z
      .boolean()
      .default(false)
      .describe("Leaves out tests of operations that have a test already. Two calls at once make no doubles."),
  }),
  maximumBodyBytes: 16 * 1_048_576,
  status: 201,
  answer: z.object({ items: z.array(createdTest).describe("In the order of the call, without what was left out.") }),
  headers: [idempotencyKey],
  problems: {
    plan_limit_reached: "The plan does not allow that many more tests; none was created.",
    conflict: "The `Idempotency-Key` was used for other tests.",
  },
});
