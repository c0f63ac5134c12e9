import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, onlyReads, pageSchema, type Tag } from "../kit/endpoint.ts";
import { testInput } from "../test-registry/tests.ts";

const tag: Tag = { name: "Suggestions", description: "Tests generated from a document." };

export const suggestedFields = z
  .enum(["required", "all"])
  .describe(
    "Content of the request: `required` parameters and members of the body with documented examples; or `all`.",
  );
export type SuggestedFields = z.infer<typeof suggestedFields>;

export const suggestion = z
  .object({
    kind: z.enum(["valid_call"]),
    reason: z.string().describe("Why this test is useful, in a sentence."),
    test: testInput,
    values: z
      .array(
        z.object({
          name: z.string().describe("Name of the variable that replaces it, e.g. `{{bookId}}`."),
          parameter: z.string().describe("Name of the parameter, or of the body's member: `category.id`."),
          in: z.enum(["path", "query", "header", "cookie", "body"]),
        }),
      )
      .describe("Values the document does not provide: generated ones would not exist on the server."),
    leftOut: z.number().int().describe("Optional parameters and members of the body that the test does not send."),
    gaps: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe("Values to fill in because no valid one could be generated."),
    file: z
      .object({ mediaType: z.string() })
      .optional()
      .describe("The body is a file of this media type, which has to be chosen: `test` has no body yet."),
  })
  .openapi("Suggestion");
export type Suggestion = z.infer<typeof suggestion>;

export const suggestTests = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/suggestions",
  timeoutSeconds: 60,
  access: "tests:read",
  audit: onlyReads,
  tag,
  summary: "Tests generated from the document",
  description:
    "One valid request per operation: examples, defaults and enumerations first. Required parameters without any, and members of the body that refer to other resources, become variables, listed in `values`. Names of new resources are unique in each request. `gaps` lists everything without a valid value.",
  params: z.object({ apiId: z.uuid() }),
  query: listQuery.omit({ query: true }),
  body: z
    .object({
      operations: z
        .array(z.object({ method: z.string(), path: z.string() }))
        .min(1)
        .max(100)
        .optional()
        .describe("Omitted: every operation of the API, page by page"),
      fields: suggestedFields.default("required"),
    })
    .default({ fields: "required" }),
  status: 200,
  response: pageSchema(suggestion),
});
