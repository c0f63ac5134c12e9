import { z } from "@hono/zod-openapi";
import { listQuery, operation, pageOf } from "../../kit/contract/operation.ts";
import { apiServer, securityScheme, specificationVersion } from "./documents.ts";

/** Methods of OpenAPI up to 3.2 in lower case; `additionalOperations` of 3.2 keep theirs as written. */
export const method = z.string().min(1).max(40);

export const operationSummary = z
  .object({
    operationId: z.string().nullable(),
    path: z.string(),
    method,
    summary: z.string(),
    /** The first tag, or "" for none. */
    tag: z.string(),
    tags: z.array(z.string()),
    deprecated: z.boolean(),
    /** Documented responses: `200`, `4XX`, `default`. */
    responseStatuses: z.array(z.string()),
  })
  .openapi("OperationSummary");
export type OperationSummary = z.infer<typeof operationSummary>;

/** A JSON Schema as the document has it: `$ref`s stay and point into `components`. `true`/`false` are schemas too (3.1). */
export const schemaObject = z.union([z.record(z.string(), z.unknown()), z.boolean()]);
export type SchemaObject = z.infer<typeof schemaObject>;

export const namedExample = z.object({
  name: z.string(),
  summary: z.string().optional(),
  description: z.string().optional(),
  value: z.unknown(),
});

export const mediaTypeContent = z.object({
  mediaType: z.string(),
  schema: schemaObject.optional(),
  /** Documented examples, in order. */
  examples: z.array(namedExample),
  /** A valid value: the first example, else made from the schema; absent when none can be made. */
  sample: z.unknown().optional(),
  encoding: z.unknown().optional(),
});
export type MediaTypeContent = z.infer<typeof mediaTypeContent>;

export const operationParameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header", "cookie", "querystring"]),
  required: z.boolean(),
  deprecated: z.boolean(),
  description: z.string(),
  /** Serialisation, with the defaults of the standard filled in (2.0's collectionFormat is translated). */
  style: z.enum([
    "simple",
    "label",
    "matrix",
    "form",
    "spaceDelimited",
    "pipeDelimited",
    "deepObject",
    "tabDelimited",
    "cookie",
  ]),
  explode: z.boolean(),
  allowReserved: z.boolean(),
  schema: schemaObject.optional(),
  /** Set instead of a style when the parameter is described by `content`. */
  contentMediaType: z.string().optional(),
  examples: z.array(namedExample),
  sample: z.unknown().optional(),
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
    }),
  ),
  content: z.array(mediaTypeContent),
  links: z.array(
    z.object({
      name: z.string(),
      operationId: z.string().optional(),
      description: z.string(),
      parameters: z.unknown(),
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
    /** Alternatives; within one all schemes are needed. `[]` or an empty alternative: no authorization needed. */
    security: z.array(z.array(z.object({ schemeName: z.string(), scopes: z.array(z.string()) }))),
    callbacks: z.array(
      z.object({
        name: z.string(),
        expression: z.string(),
        method,
        summary: z.string(),
        description: z.string(),
        requestBody: z.unknown(),
        responses: z.array(z.object({ status: z.string(), description: z.string() })),
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
    /** By JSON pointer as `$ref` writes it (`#/components/schemas/Pet`): just what the operation reaches. */
    components: z.record(z.string(), schemaObject),
    securitySchemes: z.array(securityScheme),
  })
  .openapi("OperationWithComponents");
export type OperationWithComponents = z.infer<typeof operationWithComponents>;

export const listOperations = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}/operations",
  access: "apis:read",
  summary: "Operations of the current document, in its order",
  params: z.object({ apiId: z.uuid() }),
  query: listQuery.extend({ tag: z.string().optional(), method: z.string().optional() }),
  status: 200,
  answer: pageOf(operationSummary),
});

export const getOperation = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}/operations/{method}/{pathName}",
  access: "apis:read",
  summary: "One operation with just the components it reaches; pathName is the percent-encoded path template",
  params: z.object({ apiId: z.uuid(), method, pathName: z.string().min(1).max(4_000) }),
  status: 200,
  answer: operationWithComponents,
});

export const getWebhook = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}/webhooks/{method}/{webhookName}",
  access: "apis:read",
  summary: "One webhook with just the components it reaches",
  params: z.object({ apiId: z.uuid(), method, webhookName: z.string().min(1).max(4_000) }),
  status: 200,
  answer: operationWithComponents,
});

/**
 * Many at once, for judging the executions of a whole run without one call each; `documentId` asks the version that was
 * current when the run started.
 */
export const findOperations = operation({
  method: "post",
  path: "/api/v1/apis/{apiId}/operations/find",
  access: "apis:read",
  audit: { nothingBecause: "It only asks" },
  summary: "Several operations with the components they reach; unknown ones are left out",
  params: z.object({ apiId: z.uuid() }),
  body: z.object({
    documentId: z.uuid().optional(),
    operations: z
      .array(z.object({ method, path: z.string() }))
      .min(1)
      .max(200),
  }),
  status: 200,
  answer: z.object({ items: z.array(operationWithComponents) }),
});
