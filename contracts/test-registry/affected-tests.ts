import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads } from "../kit/endpoint.ts";

// Tests affected by a change elsewhere: their number, and the first 20 by name.

const namedTest = z.object({ id: z.uuid(), name: z.string() });

export const testsOfOperation = z.object({
  method: z.string(),
  path: z.string(),
  total: z.number().int(),
  items: z.array(namedTest),
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
  description: "Methods are returned in lower case; operations without a test are omitted.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({ operations: z.array(z.object({ method: z.string(), path: z.string() })) }),
  status: 200,
  response: z.object({ items: z.array(testsOfOperation) }),
});

export const findTestsOfCredentials = endpoint({
  method: "post",
  path: "/internal/v1/tests/of-credentials",
  access: "internal",
  audit: onlyReads,
  summary: "Tests that use some credentials",
  description: "Credentials that no test names are omitted; tests that inherit their authorization name none.",
  body: z.object({ credentialIds: z.array(z.uuid()).max(200) }),
  status: 200,
  response: z.object({ items: z.array(testsOfCredential) }),
});
