import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, onlyAsks, pageOf, type Tag } from "../kit/endpoint.ts";
import { testInput } from "../test-registry/tests.ts";

const tag: Tag = { name: "Suggestions", description: "Tests that a document gives rise to." };

export const suggestedFields = z
  .enum(["required", "all"])
  .describe("What a test sends: `required` parameters and members of the body, and documented examples; or `all`.");
export type SuggestedFields = z.infer<typeof suggestedFields>;

export const suggestion = z
  .object({
    kind: z.enum(["valid_call"]),
    reason: z.string().describe("Why this test is worth having, in a sentence."),
    test: testInput,
    values: z
      .array(
        z.object({
          name: z.string().describe("Of the variable that stands for it, as in `{{bookId}}`."),
          parameter: z.string(),
          in: z.enum(["path", "query", "header", "cookie"]),
        }),
      )
      .describe("What the document gives no value of: made-up ones would not be known to the server."),
    leftOut: z.number().int().describe("Optional parameters and members of the body that the test does not send."),
    gives: z
      .array(z.string())
      .describe(
        "Members that a GET's answer is documented to hold, where it lists things those of one of them: `id`, `owner.id`. Another test may need such a value.",
      ),
    gaps: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe("What a person should fill in because nothing valid could be made."),
  })
  .openapi("Suggestion");
export type Suggestion = z.infer<typeof suggestion>;

export const suggestTests = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/suggestions",
  mayTakeSeconds: 60,
  access: "tests:read",
  audit: onlyAsks,
  tag,
  summary: "Tests made from the document",
  description:
    "One valid call for each operation: examples, defaults and enumerations first. Required parameters without any are variables, listed in `values`. `gaps` are what nothing valid is known for.",
  params: z.object({ apiId: z.uuid() }),
  query: listQuery.omit({ query: true }),
  body: z
    .object({
      operations: z
        .array(z.object({ method: z.string(), path: z.string() }))
        .min(1)
        .max(100)
        .optional()
        .describe("Left out: every operation of the API, page by page"),
      fields: suggestedFields.default("required"),
    })
    .default({ fields: "required" }),
  status: 200,
  answer: pageOf(suggestion),
});
