import { z } from "@hono/zod-openapi";
import { endpoint, onlyAsks } from "../kit/endpoint.ts";
import { testsTag } from "./tests.ts";

/** Of one operation, by name. */
export const mostNamesTold = 6;

export const lackingTests = z.object({
  method: z.string(),
  path: z.string(),
  total: z.number().int().describe("Enabled tests that ask for a variable that nothing gives."),
  names: z.array(z.string()).max(mostNamesTold).describe("Of these variables, the first by name."),
});
export type LackingTests = z.infer<typeof lackingTests>;

export const countLackingTests = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/lacking-test-counts",
  access: "tests:read",
  audit: onlyAsks,
  tag: testsTag,
  summary: "How many tests of some operations ask for a variable that nothing gives",
  description:
    "`given` names what the API and the environment in use give; rows of data of a test give what they name. Operations that lack nothing are left out, and methods are told in lower case.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({
    operations: z.array(z.object({ method: z.string().max(40), path: z.string().max(4_000) })).max(200),
    given: z.array(z.string()).max(3_000).default([]),
  }),
  maximumBodyBytes: 2 * 1_048_576,
  status: 200,
  answer: z.object({ items: z.array(lackingTests) }),
});
