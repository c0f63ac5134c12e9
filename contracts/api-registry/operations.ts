import { z } from "@hono/zod-openapi";
import { endpoint, listQuery, onlyReads, pageSchema, type Tag } from "../kit/endpoint.ts";
import { apiServer, securityScheme, specificationVersion } from "./documents.ts";

export const operationsTag: Tag = {
  name: "Operations",
  description: "What an API offers, according to its current document.",
};

/** Methods of OpenAPI up to 3.2 in lower case; `additionalOperations` of 3.2 keep their case. */
export const method = z.string().min(1).max(40);
const methodSchema = (example: string) => method.describe("In lower case").openapi({ example });

export const operationSummary = z
  .object({
    operationId: z.string().nullable(),
    path: z.string(),
    method,
    summary: z.string(),
    tag: z.string().describe('The first tag, or "" if none.'),
    tags: z.array(z.string()),
    deprecated: z.boolean(),
    responseStatuses: z.array(z.string()).describe("Documented responses: `200`, `4XX`, `default`."),
  })
  .openapi("OperationSummary");
export type OperationSummary = z.infer<typeof operationSummary>;

/**
 * A JSON Schema as in the document: `$ref`s remain and point into `components`. Values with numbers that a double would
 * round have their JSON texts in `x-exact-numbers`, by keyword. `true`/`false` are schemas too (3.1).
 */
export const schemaObject = z.union([z.record(z.string(), z.unknown()), z.boolean()]);
export type SchemaObject = z.infer<typeof schemaObject>;

export const namedExample = z.object({
  name: z.string(),
  summary: z.string().optional(),
  description: z.string().optional(),
  value: z.unknown(),
  valueJson: z.string().optional().describe("JSON text of `value` where it has digits that a double loses."),
});

export const mediaTypeContent = z.object({
  mediaType: z.string(),
  schema: schemaObject.optional(),
  examples: z.array(namedExample).describe("Documented examples, in order."),
  sample: z
    .unknown()
    .optional()
    .describe("A valid value: the first example, else generated from the schema; absent when none can be generated."),
  sampleJson: z.string().optional().describe("JSON text of `sample` where it has digits that a double loses."),
  encoding: z.unknown().optional(),
  prefixEncoding: z.unknown().optional().describe("3.2: of the parts of a multipart body, by position."),
  itemEncoding: z.unknown().optional().describe("3.2: of the other parts by position."),
});
export type MediaTypeContent = z.infer<typeof mediaTypeContent>;

export const operationParameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header", "cookie", "querystring"]),
  required: z.boolean(),
  deprecated: z.boolean(),
  description: z.string(),
  style: z
    .enum([
      "simple",
      "label",
      "matrix",
      "form",
      "spaceDelimited",
      "pipeDelimited",
      "deepObject",
      "tabDelimited",
      "cookie",
    ])
    .describe("Serialisation, with the defaults of the standard filled in (2.0's collectionFormat is translated)."),
  explode: z.boolean(),
  allowReserved: z.boolean(),
  allowEmptyValue: z.boolean().optional().describe("Whether `name=` without a value is allowed; absent: no."),
  schema: schemaObject.optional(),
  contentMediaType: z
    .string()
    .optional()
    .describe("Set instead of a style when the parameter is described by `content`."),
  examples: z.array(namedExample),
  sample: z.unknown().optional(),
  sampleJson: z.string().optional(),
});
export type OperationParameter = z.infer<typeof operationParameter>;

export const operationResponse = z.object({
  status: z.string(),
  description: z.string(),
  headers: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      description: z.string(),
      schema: schemaObject.optional(),
      explode: z.boolean().optional().describe("Absent: false."),
      contentMediaType: z.string().optional().describe("Set when the header is described by `content`."),
    }),
  ),
  content: z.array(mediaTypeContent),
  links: z.array(
    z.object({
      name: z.string(),
      operationId: z.string().optional().describe("Or its `operationRef`."),
      description: z.string(),
      parameters: z.unknown(),
      requestBody: z.unknown().optional(),
    }),
  ),
});
export type OperationResponse = z.infer<typeof operationResponse>;

/**
 * One operation in one shape for every version of the standard: path-level parameters and servers are merged in,
 * 2.0's body and form parameters are a request body, `consumes`/`produces` are media types.
 */
export const describedOperation = operationSummary
  .extend({
    description: z.string(),
    externalDocs: z.object({ url: z.string(), description: z.string().optional() }).optional(),
    servers: z.array(apiServer),
    parameters: z.array(operationParameter),
    requestBody: z
      .object({ required: z.boolean(), description: z.string(), content: z.array(mediaTypeContent) })
      .optional(),
    responses: z.array(operationResponse),
    security: z
      .array(z.array(z.object({ schemeName: z.string(), scopes: z.array(z.string()) })))
      .describe(
        "Alternatives; each requires all of its schemes. `[]` or an empty alternative: no authorization needed.",
      ),
    callbacks: z.array(
      z.object({
        name: z.string(),
        expression: z.string(),
        method,
        summary: z.string(),
        description: z.string(),
        parameters: z.array(operationParameter).optional(),
        requestBody: z.unknown(),
        responses: z.array(
          z.object({ status: z.string(), description: z.string(), content: z.array(mediaTypeContent).optional() }),
        ),
      }),
    ),
  })
  .openapi("DescribedOperation");
export type DescribedOperation = z.infer<typeof describedOperation>;

export const operationWithComponents = z
  .object({
    apiId: z.uuid(),
    specificationVersion,
    operation: describedOperation,
    documentServers: z
      .array(apiServer)
      .optional()
      .describe(
        "The document's servers, if the operation or its path has servers of its own instead; see `operation.servers`.",
      ),
    components: z
      .record(z.string(), schemaObject)
      .describe("By JSON pointer as `$ref` writes it (`#/components/schemas/Pet`): only what the operation reaches."),
    securitySchemes: z.array(securityScheme),
  })
  .openapi("OperationWithComponents");
export type OperationWithComponents = z.infer<typeof operationWithComponents>;

export const listOperations = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/operations",
  access: "apis:read",
  tag: operationsTag,
  summary: "Operations of the current document, in document order",
  description: "`query` searches path, summary and operation id.",
  params: z.object({ apiId: z.uuid() }),
  query: listQuery.extend({
    tag: z.string().optional().describe("Only operations with this tag"),
    prefix: z
      .string()
      .optional()
      .describe("Only operations without a tag whose path begins with this segment, as named by operation groups"),
    method: z.string().optional().describe("Only operations with this method"),
    effect: z
      .enum(["safe", "changes", "deletes"])
      .optional()
      .describe("Only operations whose method is safe (RFC 9110, 9.2.1), is DELETE, or changes data in another way"),
  }),
  status: 200,
  response: pageSchema(operationSummary),
});

export const getOperation = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/operations/{method}/{pathName}",
  access: "apis:read",
  tag: operationsTag,
  summary: "One operation",
  description: "In one shape for every version of the standard, with only the components it reaches.",
  params: z.object({
    apiId: z.uuid(),
    method: methodSchema("get"),
    pathName: z.string().min(1).max(4_000).describe("Path template, percent-encoded").openapi({ example: "/books" }),
  }),
  status: 200,
  response: operationWithComponents,
});

export const getWebhook = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/webhooks/{method}/{webhookName}",
  access: "apis:read",
  tag: { name: "Webhooks", description: "Requests an API sends, according to its document." },
  summary: "One webhook",
  description: "In the shape of an operation, with only the components it reaches.",
  params: z.object({
    apiId: z.uuid(),
    method: methodSchema("post"),
    webhookName: z.string().min(1).max(4_000).describe("Name in the document").openapi({ example: "newBook" }),
  }),
  status: 200,
  response: operationWithComponents,
});

export const findOperations = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/operations/find",
  access: "apis:read",
  audit: onlyReads,
  tag: operationsTag,
  summary: "Several operations",
  description:
    "With the components they reach; unknown operations are omitted. `documentId` selects an earlier version.",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({
    documentId: z.uuid().optional(),
    operations: z
      .array(z.object({ method, path: z.string() }))
      .min(1)
      .max(200)
      .openapi({ example: [{ method: "get", path: "/books" }] }),
  }),
  status: 200,
  response: z.object({
    items: z.array(operationWithComponents),
    sendsHostCredentials: z
      .literal(true)
      .optional()
      .describe(
        "The document has no security schemes, and tests are to send the credentials of their host all the same.",
      ),
  }),
});
