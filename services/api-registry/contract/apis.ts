import { z } from "@hono/zod-openapi";
import { listQuery, operation, pageOf } from "../../kit/contract/operation.ts";
import { orNone } from "../../kit/contract/or-none.ts";
import {
  apiServer,
  documentProblem,
  documentSource,
  documentVersion,
  securityScheme,
  specificationVersion,
} from "./documents.ts";

export const tag = z.string().trim().min(1).max(60);

/** An address that requests can go to. */
export const baseAddress = z
  .string()
  .trim()
  .max(4_000, "A base address has at most 4,000 characters")
  .refine(URL.canParse, { error: "Write a whole address, as in https://api.example.com/v1", abort: true })
  .refine((text) => /^https?:\/\//i.test(text), "A base address starts with https:// or http://");

export const apiSummary = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** The document's `info.version`. */
    version: z.string(),
    specificationVersion,
    operationCount: z.number().int(),
    tags: z.array(z.string()),
    baseUrl: z.string().nullable(),
    problemCount: z.number().int(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .openapi("ApiSummary");
export type ApiSummary = z.infer<typeof apiSummary>;

export const environment = z
  .object({
    name: z.string().trim().min(1, "Give the environment a name").max(100),
    baseUrl: baseAddress,
    variables: z.record(z.string(), z.string()).default({}),
  })
  .openapi("Environment");
export type Environment = z.infer<typeof environment>;

export const api = apiSummary
  .extend({
    description: z.string(),
    /** Where requests go when nothing else is chosen: `baseUrl`, else the first server that resolves. Null when unknown. */
    effectiveBaseUrl: z.string().nullable(),
    servers: z.array(apiServer),
    securitySchemes: z.array(securityScheme),
    /** Tags of operations, in the document's order, with their descriptions. */
    operationTags: z.array(
      z.object({ name: z.string(), description: z.string().optional(), operationCount: z.number().int() }),
    ),
    webhooks: z.array(z.object({ name: z.string(), method: z.string(), summary: z.string() })),
    termsOfService: z.string().optional(),
    contact: z
      .object({ name: z.string().optional(), url: z.string().optional(), email: z.string().optional() })
      .optional(),
    license: z
      .object({ name: z.string().optional(), url: z.string().optional(), identifier: z.string().optional() })
      .optional(),
    externalDocs: z.object({ url: z.string(), description: z.string().optional() }).optional(),
    environments: z.array(environment),
    document: documentVersion,
    problems: z.array(documentProblem),
  })
  .openapi("Api");
export type Api = z.infer<typeof api>;

export const apiInput = z.object({
  name: orNone(z.string().trim().min(1).max(200)),
  source: documentSource,
  baseUrl: orNone(baseAddress),
  tags: orNone(z.array(tag).max(20)),
});

export const apiSorts = ["name", "-name", "updatedAt", "-updatedAt"] as const;

export const listApis = operation({
  method: "get",
  path: "/api/v1/apis",
  access: "apis:read",
  summary: "Registered APIs of the organization",
  query: listQuery.extend({ tag: z.string().optional(), sort: z.enum(apiSorts).default("name") }),
  status: 200,
  answer: pageOf(apiSummary).extend({ tags: z.array(z.string()) }),
});

/** Multipart: fields `name`, `baseUrl`, `tags` (comma separated), `url` or file `document` with other `files`. */
export const registerApi = operation({
  method: "post",
  path: "/api/v1/apis",
  access: "apis:write",
  audit: "api",
  summary: "Registers an API from its OpenAPI document",
  body: apiInput,
  otherBodyTypes: ["multipart/form-data"],
  streamsBody: true,
  mayTakeSeconds: 180,
  status: 201,
  answer: apiSummary,
});

const params = z.object({ apiId: z.uuid() });

export const getApi = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}",
  access: "apis:read",
  summary: "One API: servers, environments, security schemes, current document version",
  params,
  status: 200,
  answer: api,
});

/** For pages that need no more than the API's name: costs one row however large the document. */
export const summarizeApi = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}/summary",
  access: "apis:read",
  summary: "One API as it stands in the list",
  params,
  status: 200,
  answer: apiSummary,
});

export const changeApi = operation({
  method: "put",
  path: "/api/v1/apis/{apiId}",
  access: "apis:write",
  audit: "api",
  summary: "Renames an API, changes its base address or tags",
  params,
  body: z.object({
    name: z.string().trim().min(1, "Give the API a name").max(200),
    baseUrl: baseAddress.nullable(),
    tags: z.array(tag).max(20),
  }),
  status: 200,
  answer: apiSummary,
});

export const deleteApi = operation({
  method: "delete",
  path: "/api/v1/apis/{apiId}",
  access: "apis:write",
  audit: "api",
  summary: "Deletes an API with its documents, its tests and all that is kept of them",
  params,
  status: 204,
});

export const listEnvironments = operation({
  method: "get",
  path: "/api/v1/apis/{apiId}/environments",
  access: "apis:read",
  summary: "Environments of the API",
  params,
  status: 200,
  answer: z.object({ items: z.array(environment) }),
});

export const replaceEnvironments = operation({
  method: "put",
  path: "/api/v1/apis/{apiId}/environments",
  access: "apis:write",
  audit: "environments",
  summary: "Replaces the environments of the API",
  params,
  body: z.object({ items: z.array(environment).max(50) }),
  status: 200,
  answer: z.object({ items: z.array(environment) }),
});
