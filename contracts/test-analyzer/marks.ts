import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { idempotencyKey } from "../kit/headers.ts";

const tag: Tag = { name: "Marks", description: "Changes over time, shown in trends." };

export const markKinds = ["deployment", "document", "test"] as const;
export const markKind = z.enum(markKinds);
export type MarkKind = z.infer<typeof markKind>;

const name = displayName(z.string().trim().min(1, "Enter a name").max(200));

/** Reported for a deployment. */
export const markInput = z
  .object({
    name: name.describe("What was deployed, as displayed in charts.").openapi({ example: "Bookshop 2.4.0" }),
    apiId: z.uuid().optional().describe("The API deployed; omitted, it concerns all APIs."),
    at: moment.optional().describe("Time of the deployment; defaults to now. Never in the future."),
    url: z
      .url({ protocol: /^https?$/, error: "Enter a full URL, e.g. https://ci.example.com/42" })
      .max(2_000)
      .optional()
      .describe("Link to details.")
      .openapi({ example: "https://ci.example.com/deployments/42" }),
  })
  .openapi("MarkInput");
export type MarkInput = z.infer<typeof markInput>;

export const mark = z
  .object({
    id: identifier,
    kind: markKind.describe("A reported deployment; a new version of an API's document; an edited test."),
    name: z
      .string()
      .describe("Name of the deployment; the document's version; the test's name.")
      .openapi({ example: "Bookshop 2.4.0" }),
    at: moment,
    apiId: z.uuid().nullable().describe("Null: it concerns all APIs."),
    apiName: z.string().nullable().describe("Its name at the time.").openapi({ example: "Bookshop" }),
    testId: z.uuid().nullable(),
    url: z.string().nullable().openapi({ example: "https://ci.example.com/deployments/42" }),
    createdBy: z
      .string()
      .nullable()
      .describe("Who reported it; null if the portal detected it.")
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
  summary: "Changes, newest first",
  description:
    "For all APIs: deployments and document versions. For one API or test also edits. Stored for two years; repeated edits of a test within an hour share one mark.",
  query: listQuery.omit({ query: true }).extend({
    apiId: z.uuid().optional().describe("Only marks that concern this API"),
    testId: z.uuid().optional().describe("Only edits of this test; with its API, also what concerns that"),
    kind: markKind.optional().describe("Only marks of this kind"),
    from: moment.optional().describe("Only changes at this time or later"),
    to: moment.optional().describe("Only changes before this time"),
  }),
  status: 200,
  response: pageSchema(mark),
});

export const createMark = endpoint({
  method: "post",
  path: "/api/v1/marks",
  access: "tests:run",
  audit: "mark",
  tag,
  summary: "Marks a deployment",
  description: "From then on it is shown in the trends of its API, or of all APIs.",
  headers: [idempotencyKey],
  body: markInput,
  status: 201,
  response: mark,
  locationPath: "/api/v1/marks/{id}",
  problems: {
    not_found: "No such API.",
    conflict: "The Idempotency-Key was used for another call, or its resource was deleted.",
    service_unavailable: "The API could not be looked up.",
  },
});

export const getMark = endpoint({
  method: "get",
  path: "/api/v1/marks/{markId}",
  access: "tests:read",
  tag,
  summary: "One mark",
  description: "What changed, when, and who reported it.",
  params,
  status: 200,
  response: mark,
});

export const deleteMark = endpoint({
  method: "delete",
  path: "/api/v1/marks/{markId}",
  access: "tests:write",
  audit: "mark",
  tag,
  summary: "Deletes a mark",
  description: "The change that it marks is not undone.",
  params,
  status: 204,
});
