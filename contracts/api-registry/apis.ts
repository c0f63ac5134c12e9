import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, listQuery, moment, pageSchema, type Tag } from "../kit/endpoint.ts";
import { identifierList } from "../kit/identifier-list.ts";
import { orNone } from "../kit/or-none.ts";
import { apiDescription } from "./descriptions.ts";
import { documentForm, documentSource, readsDocument } from "./document-sources.ts";
import { documentProblem, documentVersion, specificationVersion } from "./documents.ts";
import { baseUrl, environment } from "./environments.ts";
import { operationTag } from "./operation-groups.ts";
import { secretVariable } from "./secret-variables.ts";

const tag: Tag = { name: "APIs", description: "Registered APIs of the organization." };

export const apiTag = displayName(z.string().trim().min(1).max(60));

export const apiSummary = z
  .object({
    id: z.uuid(),
    name: z.string(),
    version: z.string().describe("The document's `info.version`."),
    specificationVersion,
    operationCount: z.number().int(),
    tags: z.array(z.string()),
    baseUrl: z
      .string()
      .nullable()
      .describe("The base URL chosen for the API; null leaves requests to the document's servers."),
    effectiveBaseUrl: z
      .string()
      .nullable()
      .describe("Where requests go by default: `baseUrl`, else the first server that resolves. Null when unknown."),
    documentId: z.uuid().describe("The current version of its document."),
    problemCount: z.number().int(),
    isDisposable: z
      .boolean()
      .default(false)
      .describe("Whether its data is disposable: explorations may create, change and delete their own data."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("ApiSummary");
export type ApiSummary = z.infer<typeof apiSummary>;

export const api = apiSummary
  .extend({
    ...apiDescription.shape,
    operationTags: z.array(operationTag).describe("In document order, the first 500."),
    environments: z.array(environment),
    variables: z
      .record(z.string(), z.string())
      .describe("Variables shared by all environments; an environment's own value takes precedence."),
    secretVariables: z.array(secretVariable).describe("Those whose values are secret, without them."),
    document: documentVersion,
    problems: z.array(documentProblem),
  })
  .openapi("Api");
export type Api = z.infer<typeof api>;

export const apiInput = z.object({
  name: orNone(displayName(z.string().trim().min(1).max(200))),
  source: documentSource,
  baseUrl: orNone(baseUrl),
  tags: orNone(z.array(apiTag).max(20)),
});

export const registrationForm = documentForm
  .extend({
    name: apiInput.shape.name,
    baseUrl: apiInput.shape.baseUrl,
    tags: z.string().optional().describe("Separated by commas"),
    tag: z.string().optional().describe("One tag, verbatim (commas included); may be repeated"),
  })
  .openapi("RegistrationForm");

export const apiSorts = ["name", "-name", "updatedAt", "-updatedAt"] as const;

export const listApis = endpoint({
  method: "get",
  path: "/api/v1/apis",
  access: "apis:read",
  tag,
  summary: "Registered APIs of the organization",
  description: "`query` searches names; `tags` in the response lists every tag in use.",
  query: listQuery.extend({
    tag: z.string().optional().describe("Only APIs with this tag"),
    ids: identifierList.optional().describe("Only these APIs. Separated by commas, at most 200."),
    except: identifierList.optional().describe("All but these APIs. Separated by commas, at most 200."),
    locationId: z.uuid().optional().describe("Only APIs with an environment that is sent from this location"),
    sort: z.enum(apiSorts).default("name").describe("Sort key; a leading `-` reverses the order"),
  }),
  status: 200,
  response: pageSchema(apiSummary).extend({ tags: z.array(z.string()) }),
});

export const registerApi = endpoint({
  method: "post",
  path: "/api/v1/apis",
  access: "apis:write",
  audit: "api",
  tag,
  summary: "Registers an API from its OpenAPI document",
  description:
    "The document is checked as at `/api/v1/documents/inspect`; an unusable document is reported at `source`.",
  body: apiInput,
  otherBodies: { "multipart/form-data": registrationForm },
  ...readsDocument,
  status: 201,
  response: apiSummary,
  locationPath: "/api/v1/apis/{id}",
  problems: { ...readsDocument.problems, plan_limit_reached: "The plan allows no more APIs." },
});

const params = z.object({ apiId: z.uuid() });

export const getApi = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}",
  access: "apis:read",
  tag,
  summary: "One API with all its details",
  description:
    "Servers, environments, security schemes and the current version of its document; long problem lists are cut to the first entries.",
  params,
  status: 200,
  response: api,
});

export const summarizeApi = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/summary",
  access: "apis:read",
  tag,
  summary: "One API as a list item",
  description: "Reads one row, however large the document.",
  params,
  status: 200,
  response: apiSummary,
});

export const changeApi = endpoint({
  method: "put",
  path: "/api/v1/apis/{apiId}",
  access: "apis:write",
  audit: "api",
  tag,
  summary: "Changes an API's name, base URL and tags, and whether its data is disposable",
  description:
    "Replaces name, base URL and tags. A base URL of null leaves requests to the document's servers. `isDisposable` stays as it is where it is omitted.",
  params,
  body: z.object({
    name: displayName(z.string().trim().min(1, "Give the API a name").max(200)),
    baseUrl: baseUrl.nullable(),
    tags: z.array(apiTag).max(20),
    isDisposable: z.boolean().optional(),
  }),
  status: 200,
  response: apiSummary,
});

export const deleteApi = endpoint({
  method: "delete",
  path: "/api/v1/apis/{apiId}",
  access: "apis:write",
  audit: "api",
  tag,
  summary: "Deletes an API",
  description: "Deletes its documents too; its tests and their results are deleted asynchronously.",
  params,
  status: 204,
});
