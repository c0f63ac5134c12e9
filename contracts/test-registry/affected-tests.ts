import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads } from "../kit/endpoint.ts";
import { assertion } from "./assertions.ts";
import { testRequest } from "./requests.ts";
import { capture } from "./tests.ts";

// Tests affected by a change elsewhere: their number, and the first 20 by name.

const namedTest = z.object({ id: z.uuid(), name: z.string() });

/** What a review of a new document needs of a test. */
export const testDefinition = z.object({
  request: testRequest,
  assertions: z.array(assertion),
  captures: z.array(capture),
});
export type TestDefinitionForReview = z.infer<typeof testDefinition>;

export const circleOfTest = z.object({
  id: z.uuid(),
  name: z.string(),
  schedules: z.number().int().describe("Enabled ones."),
});

export const testsOfOperation = z.object({
  method: z.string(),
  path: z.string(),
  total: z.number().int(),
  items: z.array(
    namedTest.extend({
      definition: testDefinition.optional(),
      circles: z
        .array(
          circleOfTest.extend({
            isMember: z.boolean().describe("Whether it names the test, and not only a selection."),
          }),
        )
        .optional()
        .describe("The first 10 by name."),
    }),
  ),
});

export const testsOfCredential = z.object({
  credentialId: z.uuid(),
  total: z.number().int(),
  items: z.array(namedTest.extend({ apiId: z.uuid() })),
});

export const findTestsOfOperations = endpoint({
  method: "post",
  path: "/internal/v1/apis/{apiId}/tests/of-operations",
  access: "internal",
  audit: onlyReads,
  summary: "Tests of some operations of an API",
  description:
    "Methods are returned in lower case; operations without a test are omitted. With `withDefinitions` the first tests have their definitions and circles, up to 400 tests and 8 MB; with `withCircles` the first 400 have their circles.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({
    operations: z.array(z.object({ method: z.string(), path: z.string() })),
    withDefinitions: z.boolean().optional(),
    withCircles: z.boolean().optional(),
  }),
  status: 200,
  response: z.object({ items: z.array(testsOfOperation) }),
});

export const findTestsOfCredentials = endpoint({
  method: "post",
  path: "/internal/v1/tests/of-credentials",
  access: "internal",
  audit: onlyReads,
  summary: "Tests that use some credentials",
  description: "Credentials not used by a test are omitted; tests that inherit their authorization use none by name.",
  body: z.object({ credentialIds: z.array(z.uuid()).max(200) }),
  status: 200,
  response: z.object({ items: z.array(testsOfCredential) }),
});
