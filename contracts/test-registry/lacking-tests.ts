import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads } from "../kit/endpoint.ts";
import { testsTag } from "./tests.ts";

/** Per operation, by name. */
export const maxReturnedNames = 6;

const names = z.array(z.string()).max(maxReturnedNames).describe("The first undefined variables by name.");

export const lackingTests = z.object({
  method: z.string(),
  path: z.string(),
  total: z.number().int().describe("Enabled tests that reference an undefined variable."),
  names,
});
export type LackingTests = z.infer<typeof lackingTests>;

export const lackingTotal = z.object({
  operations: z.number().int(),
  tests: z.number().int().describe("Enabled tests that reference an undefined variable."),
  names,
});
export type LackingTotal = z.infer<typeof lackingTotal>;

const apiParams = z.object({ apiId: z.uuid() });
const given = z
  .array(z.string())
  .max(3_000)
  .default([])
  .describe("Names of the variables of the API and of the environment in use.");
const whatIsDefined =
  "A variable is defined if `given` names it, a data row of the test has it, a test of the API captures it, or a circle that runs tests of the API has it or another of its tests captures it.";

export const countLackingTests = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/lacking-test-counts",
  access: "tests:read",
  audit: onlyReads,
  tag: testsTag,
  summary: "Number of tests that reference an undefined variable",
  description: `${whatIsDefined} Operations without such tests are omitted; methods are returned in lower case.`,
  params: apiParams,
  body: z.object({
    operations: z
      .array(z.object({ method: z.string().max(40), path: z.string().max(4_000) }))
      .max(200)
      .default([])
      .describe("Of these, the tests are counted for each operation, too."),
    given,
  }),
  maxBodyBytes: 2 * 1_048_576,
  status: 200,
  response: z.object({ items: z.array(lackingTests), total: lackingTotal.describe("Of the API.") }),
});

export const listLackingValues = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/lacking-values",
  access: "tests:read",
  audit: onlyReads,
  tag: testsTag,
  summary: "Undefined variables that some tests reference",
  description: `${whatIsDefined} Tests without any are omitted.`,
  params: apiParams,
  body: z.object({ testIds: z.array(z.uuid()).max(200), given }),
  maxBodyBytes: 2 * 1_048_576,
  status: 200,
  response: z.object({ items: z.array(z.object({ testId: z.uuid(), names })) }),
});
