import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf, type Tag } from "../kit/endpoint.ts";
import { idempotencyKey } from "../kit/headers.ts";

const tag: Tag = { name: "Marks", description: "What changed and when, shown in trends." };

export const markKinds = ["deployment", "document", "test"] as const;
export const markKind = z.enum(markKinds);
export type MarkKind = z.infer<typeof markKind>;

const name = z.string().trim().min(1, "Enter a name").max(200);

/** What somebody says of a deployment. */
export const markInput = z
  .object({
    name: name.describe("What was deployed, as people will read it in plots.").openapi({ example: "Bookshop 2.4.0" }),
    apiId: z.uuid().optional().describe("The API it is of; left out, it concerns all."),
    at: moment.optional().describe("When; now, unless given. Never in the future."),
    url: z
      .url({ protocol: /^https?$/, error: "Write a whole address, as in https://ci.example.com/42" })
      .max(2_000)
      .optional()
      .describe("Where more is to be read.")
      .openapi({ example: "https://ci.example.com/deployments/42" }),
  })
  .openapi("MarkInput");
export type MarkInput = z.infer<typeof markInput>;

export const mark = z
  .object({
    id: identifier,
    kind: markKind.describe(
      "A deployment, which somebody told; a new version of an API's document; a test that was edited.",
    ),
    name: z
      .string()
      .describe("Of the deployment; the document's version; the test's name.")
      .openapi({ example: "Bookshop 2.4.0" }),
    at: moment,
    apiId: z.uuid().nullable().describe("Null: it concerns all APIs."),
    apiName: z.string().nullable().describe("As it was called then.").openapi({ example: "Bookshop" }),
    testId: z.uuid().nullable(),
    url: z.string().nullable().openapi({ example: "https://ci.example.com/deployments/42" }),
    createdBy: z
      .string()
      .nullable()
      .describe("Who told of it; null where the portal saw it.")
      .openapi({ example: "ci" }),
  })
  .openapi("Mark");
export type Mark = z.infer<typeof mark>;

const params = z.object({ markId: z.uuid() });

export const listMarks = endpoint({
  method: "get",
  path: "/api/v1/marks",
  access: "tests:read",
  tag,
  summary: "What changed, newest first",
  description:
    "Of all APIs: deployments and document versions. Of one API or test also what was edited. Kept for two years; a test edited time and again within an hour has one mark.",
  query: listQuery.omit({ query: true }).extend({
    apiId: z.uuid().optional().describe("Keeps what concerns this API"),
    testId: z.uuid().optional().describe("Keeps edits of this test; give its API, too, for what concerns that"),
    kind: markKind.optional().describe("Keeps those of this kind"),
  }),
  status: 200,
  answer: pageOf(mark),
});

export const createMark = endpoint({
  method: "post",
  path: "/api/v1/marks",
  access: "tests:run",
  audit: "mark",
  tag,
  summary: "Marks a deployment",
  description: "From then on it stands in the trends of its API, or of all.",
  headers: [idempotencyKey],
  body: markInput,
  status: 201,
  answer: mark,
  makes: "/api/v1/marks/{id}",
  problems: {
    not_found: "There is no such API.",
    conflict: "The Idempotency-Key was used for another call, or what it made was deleted.",
    service_unavailable: "The API could not be looked up.",
  },
});

export const getMark = endpoint({
  method: "get",
  path: "/api/v1/marks/{markId}",
  access: "tests:read",
  tag,
  summary: "One mark",
  description: "What changed, when, and who told of it.",
  params,
  status: 200,
  answer: mark,
});

export const deleteMark = endpoint({
  method: "delete",
  path: "/api/v1/marks/{markId}",
  access: "tests:write",
  audit: "mark",
  tag,
  summary: "Deletes a mark",
  description: "What it stood for stays as it is.",
  params,
  status: 204,
});
