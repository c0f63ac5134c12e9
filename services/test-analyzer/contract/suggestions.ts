import { z } from "@hono/zod-openapi";
import { operation } from "../../kit/contract/operation.ts";
import { testInput } from "../../test-registry/contract/tests.ts";

export const suggestion = z
  .object({
    kind: z.enum(["valid_call"]),
    /** Why this test is worth having, in a sentence. */
    reason: z.string(),
    test: testInput,
    /** What a person should fill in because nothing valid could be made. */
    gaps: z.array(z.object({ path: z.string(), message: z.string() })),
  })
  .openapi("Suggestion");
export type Suggestion = z.infer<typeof suggestion>;

export const suggestTests = operation({
  method: "post",
  path: "/api/v1/apis/{apiId}/suggestions",
  mayTakeSeconds: 60,
  access: "tests:read",
  audit: { nothingBecause: "It only asks" },
  summary: "Tests made from the document: one valid call for each named operation",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({
    operations: z
      .array(z.object({ method: z.string(), path: z.string() }))
      .min(1)
      .max(50),
  }),
  status: 200,
  answer: z.object({ items: z.array(suggestion) }),
});
