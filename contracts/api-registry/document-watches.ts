import { z } from "@hono/zod-openapi";
import { endpoint, moment, type Tag } from "../kit/endpoint.ts";
import { readsDocument } from "./document-sources.ts";
import { documentVersion } from "./documents.ts";

const tag: Tag = {
  name: "Watched documents",
  description: "The address of an API's document, fetched on a schedule: each new version is reviewed by rule.",
};

/** Minutes between two looks. */
export const watchIntervals = [15, 60, 360, 1_440] as const;
export const watchActions = ["takeOver", "report"] as const;
export type WatchAction = (typeof watchActions)[number];

export const documentWatchInput = z
  .object({
    url: z
      .string({ error: "Enter the document URL" })
      .trim()
      .url("Enter a full URL, e.g. https://api.example.com/openapi.json")
      .regex(/^https?:\/\//, "Write an address that begins with https:// or http://")
      .max(4_000, "At most 4,000 characters")
      .openapi({ example: "https://api.example.com/openapi.json" }),
    everyMinutes: z
      .union(
        watchIntervals.map((minutes) => z.literal(minutes)),
        { error: "Choose how often" },
      )
      .openapi({ example: 60 }),
    action: z
      .enum(watchActions, { error: "Choose what happens with a new version" })
      .describe("`takeOver`: imports a version that breaks nothing. Others open an incident, with `report` all do."),
  })
  .openapi("DocumentWatchInput");
export type DocumentWatchInput = z.infer<typeof documentWatchInput>;

const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .openapi({ example: "0".repeat(64) })
  .describe("Of the document and the files it refers to, as the address served them.");

export const documentWatch = z
  .object({
    ...documentWatchInput.shape,
    apiId: z.uuid(),
    lookedAt: moment.nullable().describe("Null before the first look."),
    nextLookAt: moment,
    unchangedSince: moment.nullable().describe("Since when the address has served the same document."),
    failure: z
      .object({ reason: z.string(), since: moment, looks: z.number().int().describe("Failed looks in a row.") })
      .nullable()
      .describe("Why the last look failed. From the third in a row on there is an incident."),
    change: z
      .object({
        digest,
        version: z.string(),
        foundAt: moment,
        breakingCount: z.number().int().describe("Operations whose callers may break."),
        reason: z.string().openapi({ example: "1 operation breaks. DELETE /books/{bookId} was removed." }),
      })
      .nullable()
      .describe("A new version that waits for a person."),
    takenOver: z
      .object({ documentId: z.uuid(), version: z.string(), at: moment })
      .nullable()
      .describe("The last version that the watch imported by itself."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("DocumentWatch");
export type DocumentWatch = z.infer<typeof documentWatch>;

const params = z.object({ apiId: z.uuid() });
const path = "/api/v1/apis/{apiId}/document-watch";
const audit = "document watch";

export const getDocumentWatch = endpoint({
  method: "get",
  path,
  access: "apis:read",
  tag,
  summary: "How the address of the document is watched",
  description: "Null while it is not watched.",
  params,
  status: 200,
  response: z.object({ watch: documentWatch.nullable() }),
});

export const setDocumentWatch = endpoint({
  method: "put",
  path,
  access: "apis:write",
  audit,
  tag,
  summary: "Watches the address of the document",
  description: "Saved again, it looks immediately.",
  params,
  body: documentWatchInput,
  status: 200,
  response: documentWatch,
});

export const endDocumentWatch = endpoint({
  method: "delete",
  path,
  access: "apis:write",
  audit,
  tag,
  summary: "Ends the watch",
  description: "The registered document stays; its incidents are resolved.",
  params,
  status: 204,
});

const change = {
  method: "post",
  access: "apis:write",
  tag,
  params,
  body: z.object({ digest }),
  problems: { conflict: "Another version, or none, waits for a decision." },
} as const;

export const takeOverDocument = endpoint({
  ...change,
  audit: "document",
  path: `${path}/take-over`,
  summary: "Takes over the new version that waits",
  description: "Imports what the address serves, if it still is that version.",
  status: 201,
  response: documentVersion,
  locationPath: "/api/v1/apis/{apiId}/documents/{id}",
  timeoutSeconds: readsDocument.timeoutSeconds,
  problems: { ...readsDocument.problems, ...change.problems },
});

export const dismissDocument = endpoint({
  ...change,
  audit,
  path: `${path}/dismiss`,
  summary: "Dismisses the new version that waits",
  description: "Until the address serves another one.",
  status: 200,
  response: documentWatch,
});
