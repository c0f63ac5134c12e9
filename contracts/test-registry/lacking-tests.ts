import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads } from "../kit/endpoint.ts";
import { testsTag } from "./tests.ts";

/** Per operation, by name. */
export const maxReturnedNames = 6;

export const lackingTests = z.object({
  method: z.string(),
  path: z.string(),
  total: z.number().int().describe("Enabled tests that reference an undefined variable."),
  names: z.array(z.string()).max(maxReturnedNames).describe("The first undefined variables by name."),
});
export type LackingTests = z.infer<typeof lackingTests>;

export const countLackingTests = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/lacking-test-counts",
  access: "tests:read",
  audit: onlyReads,
  tag: testsTag,
  summary: "Number of tests of some operations that reference an undefined variable",
  description:
    "`given` names variables of the API and the environment in use; data rows of a test define their columns. Operations without such tests are omitted; methods are returned in lower case.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({
    operations: z.array(z.object({ method: z.string().max(40), path: z.string().max(4_000) })).max(200),
    given: z.array(z.string()).max(3_000).default([]),
  }),
  maxBodyBytes: 2 * 1_048_576,
  status: 200,
  response: z.object({ items: z.array(lackingTests) }),
});
