import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { idempotencyKey } from "../kit/headers.ts";
import { exactTargets } from "./exact-targets.ts";
import { testInput, testsTag } from "./tests.ts";

/** Per call. */
export const maxTestsPerBatch = 100;

export const createdTest = z
  .object({ id: z.uuid(), name: z.string(), method: z.string(), path: z.string() })
  .openapi("CreatedTest");
export type CreatedTest = z.infer<typeof createdTest>;

export const createTests = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/tests/batch",
  timeoutSeconds: 30,
  access: "tests:write",
  audit: "test",
  tag: testsTag,
  summary: "Creates several tests",
  description: "All or none are created. Errors are reported at the fields of a test, e.g. `items[3].name`.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({
    items: z.array(testInput).min(1).max(maxTestsPerBatch),
    onlyUntested: z
      .boolean()
      .default(false)
      .describe("Omits tests of operations that already have a test. Concurrent calls create no duplicates."),
    keepExisting: z
      .boolean()
      .default(false)
      .describe(
        "Returns the test that has the same method, path and name instead of creating another. Concurrent calls create no duplicates.",
      ),
  }),
  maxBodyBytes: 16 * 1_048_576,
  exactNumbers: exactTargets,
  status: 201,
  response: z.object({
    items: z
      .array(createdTest)
      .describe("In request order, without omitted ones; with `keepExisting` including those that existed."),
  }),
  headers: [idempotencyKey],
  problems: {
    plan_limit_reached: "The plan does not allow that many more tests; none was created.",
    conflict: "The `Idempotency-Key` was used for other tests.",
  },
});
