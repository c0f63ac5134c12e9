import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, moment, onlyReads, pageSchema, type Tag } from "../kit/endpoint.ts";
import { entityTag, ifNoneMatch } from "../kit/headers.ts";
import { documentForm, documentSource, readsDocument } from "./document-sources.ts";

export const documentsTag: Tag = {
  name: "Documents",
  description: "OpenAPI documents of an API, each version as it was imported.",
};

export const documentVersions = ["2.0", "3.0", "3.1", "3.2"] as const;
export const specificationVersion = z.enum(documentVersions);
export type SpecificationVersion = z.infer<typeof specificationVersion>;

export const problemLocation = z.object({
  pointer: z.string().describe("RFC 6901, within the file named by `file` (the main document when absent)."),
  file: z.string().optional(),
  line: z.number().int(),
  column: z.number().int(),
});
export type ProblemLocation = z.infer<typeof problemLocation>;

/** Repeated problems are merged into one with a count and the first locations. */
export const documentProblem = problemLocation
  .extend({
    severity: z
      .enum(["error", "warning", "notice"])
      .describe("A notice is not a defect of the document: it reports something the portal does not support."),
    message: z.string().describe("What is wrong and how to fix it, in one actionable sentence."),
    count: z.number().int().describe("Number of locations."),
    otherPlaces: z.array(problemLocation).optional().describe("The first locations after the one above."),
  })
  .openapi("DocumentProblem");
export type DocumentProblem = z.infer<typeof documentProblem>;

export const serverVariable = z.object({
  name: z.string(),
  default: z.string(),
  enum: z.array(z.string()).optional(),
  description: z.string().optional(),
});

/** `url` may be relative or contain `{variables}`; `resolvedUrl` is absolute with defaults filled in, if possible. */
export const apiServer = z
  .object({
    url: z.string(),
    resolvedUrl: z.string().optional(),
    description: z.string().optional(),
    variables: z.array(serverVariable),
  })
  .openapi("ApiServer");
export type ApiServer = z.infer<typeof apiServer>;

export const securityScheme = z
  .object({
    name: z.string(),
    type: z.enum(["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"]),
    description: z.string().optional(),
    in: z.enum(["header", "query", "cookie"]).optional(),
    parameterName: z.string().optional(),
    scheme: z.string().optional().describe("For http: `basic`, `bearer`, `digest`, … in lower case."),
    bearerFormat: z.string().optional(),
    flows: z.unknown().optional(),
    openIdConnectUrl: z.string().optional(),
  })
  .openapi("SecurityScheme");
export type SecurityScheme = z.infer<typeof securityScheme>;

export const inspection = z
  .object({
    usable: z
      .boolean()
      .describe("False when the document is unusable; `problems` then says why and registering is refused."),
    title: z.string(),
    version: z.string(),
    description: z.string(),
    specificationVersion: specificationVersion.optional(),
    format: z.enum(["json", "yaml"]),
    bytes: z.number().int(),
    servers: z.array(apiServer),
    securitySchemes: z.array(securityScheme),
    securityRequirements: z
      .array(z.array(z.array(z.string())))
      .optional()
      .describe("The different requirements of its operations: alternatives, each the names of its schemes."),
    tags: z.array(z.string()),
    operationCount: z.number().int(),
    webhookCount: z.number().int(),
    problems: z.array(documentProblem),
    problemCount: z
      .number()
      .int()
      .describe("Errors and warnings, excluding notices; counted in full although at most 200 problems are listed."),
    staged: z
      .object({ id: z.uuid(), expiresAt: moment })
      .optional()
      .describe("The submitted source, stored for other calls; present when `keep` requested it."),
  })
  .openapi("Inspection");
export type Inspection = z.infer<typeof inspection>;

export const documentVersion = z
  .object({
    id: z.uuid(),
    apiId: z.uuid(),
    version: z.string(),
    specificationVersion,
    format: z.enum(["json", "yaml"]),
    sourceUrl: z.string().nullable(),
    fileName: z.string().nullable(),
    bytes: z.number().int(),
    sha256: z.string(),
    operationCount: z.number().int(),
    problemCount: z.number().int(),
    importedAt: moment,
    current: z.boolean(),
  })
  .openapi("DocumentVersion");
export type DocumentVersion = z.infer<typeof documentVersion>;

const pageQuery = listQuery.omit({ query: true });
const apiParams = z.object({ apiId: z.uuid() });
const documentParams = z.object({ apiId: z.uuid(), documentId: z.uuid() });

export const inspectDocument = endpoint({
  method: "post",
  path: "/api/v1/documents/inspect",
  access: "apis:write",
  audit: onlyReads,
  tag: documentsTag,
  summary: "Inspects a document without registering it",
  description:
    "Registers nothing. As a form: field `document` (the main file) with any number of `files` it refers to, or field `url`.",
  query: z.object({
    keep: z
      .enum(["true", "false"])
      .optional()
      .describe(
        "Stores the submitted source for an hour, so that a large document need not be sent again: see `staged`.",
      ),
  }),
  body: documentSource,
  otherBodies: { "multipart/form-data": documentForm },
  ...readsDocument,
  status: 200,
  response: inspection,
});

export const listDocuments = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/documents",
  access: "apis:read",
  tag: documentsTag,
  summary: "Imported versions of the document, newest first",
  description: "The one marked `current` is in use; a run keeps the version it started with.",
  params: apiParams,
  query: pageQuery,
  status: 200,
  response: pageSchema(documentVersion),
});

export const importDocument = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/documents",
  access: "apis:write",
  audit: "document",
  tag: documentsTag,
  summary: "Imports a new version of the document and makes it the current one",
  description:
    "An unusable document is reported at `source`. Where a part of the address moved between its servers and paths, base URLs of the API and its environments follow, as `baseUrls` of a comparison say.",
  params: apiParams,
  body: z.object({ source: documentSource }),
  otherBodies: { "multipart/form-data": documentForm },
  ...readsDocument,
  status: 201,
  response: documentVersion,
  locationPath: "/api/v1/apis/{apiId}/documents/{id}",
});

export const getDocument = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/documents/{documentId}",
  access: "apis:read",
  tag: documentsTag,
  summary: "The original document",
  description: "Its bytes, unchanged.",
  params: documentParams,
  status: 200,
  otherResponses: {
    "application/octet-stream": { description: "JSON or YAML, as it was imported.", example: "openapi: 3.1.0\n" },
  },
  headers: [ifNoneMatch],
  responseHeaders: [entityTag],
  otherStatuses: [304],
});

export const listDocumentProblems = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/documents/{documentId}/problems",
  access: "apis:read",
  tag: documentsTag,
  summary: "Problems found in the document when it was imported",
  description: "Errors first, each with its location in the document.",
  params: documentParams,
  query: pageQuery,
  status: 200,
  response: pageSchema(documentProblem),
});
