import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { testsTag as tag } from "./tests.ts";

export const countTests = endpoint({
  method: "get",
  path: "/api/v1/test-counts",
  access: "tests:read",
  tag,
  summary: "Number of tests per API",
  description: "With `apiId`, also the number per operation.",
  query: z.object({
    apiIds: identifierList.optional(),
    apiId: z.uuid().optional(),
  }),
  status: 200,
  response: z.object({
    byApi: z.array(z.object({ apiId: z.uuid(), total: z.number().int(), enabled: z.number().int() })),
    byOperation: z.array(z.object({ method: z.string(), path: z.string(), total: z.number().int() })),
  }),
});

export const countEnabledTests = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/enabled-test-counts",
  access: "tests:read",
  tag,
  summary: "Number of enabled tests of an API, by method",
  description: "The tests a run of the whole API would start: only those with safe methods, or all.",
  params: z.object({ apiId: z.uuid() }),
  status: 200,
  response: z.object({
    byMethod: z.array(
      z.object({
        method: z.string(),
        total: z.number().int(),
        isSafe: z.boolean().describe("Whether the method is safe (RFC 9110, 9.2.1)."),
      }),
    ),
  }),
});
