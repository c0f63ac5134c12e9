import { z } from "@hono/zod-openapi";
import { authorization, testRequest } from "../test-registry/requests.ts";
import { testInput } from "../test-registry/tests.ts";
import { credentialReference } from "./references.ts";

const [none, inherit] = authorization.options;

export const authorizationCode = z.discriminatedUnion("kind", [
  none,
  inherit,
  z.object({
    kind: z.literal("credentials"),
    bindings: z
      .array(z.object({ schemeName: z.string().max(200), credential: credentialReference }))
      .min(1)
      .max(10),
  }),
]);

/** Locations belong to an installation, like their agents. */
const { locationId: _, ...shape } = testInput.shape;

export const testCode = z
  .strictObject({
    ...shape,
    request: testRequest.extend({ authorization: authorizationCode.default({ kind: "inherit" }) }).default({
      pathParameters: [],
      query: [],
      headers: [],
      cookies: [],
      body: { kind: "none" },
      authorization: { kind: "inherit" },
      followRedirects: false,
    }),
  })
  .openapi("TestAsCode");
export type TestCode = z.infer<typeof testCode>;
