import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, listQuery, onlyReads, pageSchema, type Tag } from "../kit/endpoint.ts";
import { method } from "./operations.ts";

const tag: Tag = {
  name: "Dependencies",
  description: "Which operation of an API gives what another one needs.",
};

export const operationKey = z.object({
  method: method.openapi({ example: "get" }),
  path: z.string().openapi({ example: "/books" }),
});
export type OperationKey = z.infer<typeof operationKey>;

export const evidence = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("link"), name: z.string().describe("Name of a link of the document.") }),
    z.object({ kind: z.literal("schema"), component: z.string().describe("The component that both have.") }),
    z.object({ kind: z.literal("path") }),
    z.object({ kind: z.literal("name"), name: z.string().describe("The member that is named after the resource.") }),
    z.object({ kind: z.literal("person") }),
    z
      .object({
        kind: z.literal("seen"),
        operation: operationKey.describe("The operation whose responses had the values."),
        times: z.number().int().min(1).describe("How many requests sent such a value and were accepted."),
      })
      .describe("Recorded responses show it. Neither values nor the requests are stored with it."),
  ])
  .describe(
    "Why two operations belong together. What a person said comes first, then links of the document, then what was seen, then the rest.",
  );
export type Evidence = z.infer<typeof evidence>;

export const producer = z
  .object({
    operation: operationKey,
    from: z
      .enum(["body", "location", "sent"])
      .describe(
        "`location`: the last segment of the header Location (RFC 9110, 10.2.2). `sent`: what its request had there, since clients choose it.",
      ),
    path: z
      .string()
      .describe(
        "JSONPath (RFC 9535) into the response's body, or for `sent` the request's; empty for a header, and for the path of the request.",
      ),
    many: z.boolean().describe("Whether it gives those of a list."),
    evidence,
  })
  .openapi("Producer");
export type Producer = z.infer<typeof producer>;

export const resourceKey = z
  .string()
  .min(1)
  .max(4_000)
  .describe("Path of the resource with unnamed parameters: `/shops/{}/books/{}`.");

const consumerPlace = {
  operation: operationKey,
  in: z.enum(["path", "query", "header", "cookie", "body"]),
  name: z
    .string()
    .min(1)
    .max(4_000)
    .describe(
      "A parameter's name; for a body the JSON pointer (RFC 6901) of the member, with `-` for any item of a list.",
    ),
};

export const consumer = z
  .object({
    ...consumerPlace,
    required: z.boolean(),
    resource: resourceKey.describe("Key of the resource that gives it."),
    evidence,
  })
  .openapi("Consumer");
export type Consumer = z.infer<typeof consumer>;

/** What an operation is to its resource. */
export const resourceRoles = ["list", "create", "read", "change", "replace", "remove"] as const;
export type ResourceRole = (typeof resourceRoles)[number];

export const resource = z
  .object({
    key: resourceKey,
    name: z.string().describe("In words, in the singular: `book`."),
    parent: z.string().nullable().describe("Key of the resource that it is part of."),
    source: z
      .string()
      .describe("Key of the resource whose identifier its path parameter is; its own, or that of a message for a pin."),
    collection: z.string().openapi({ example: "/shops/{shopId}/books" }),
    item: z.string().openapi({ example: "/shops/{shopId}/books/{bookId}" }),
    parameter: z.string().describe("The last path parameter of `item`."),
    variable: z.string().describe("The variable of its identifier. Resources with different sources never share one."),
    component: z.string().nullable().describe("The component that describes it."),
    operations: z.partialRecord(z.enum(resourceRoles), operationKey),
    producers: z.array(producer).describe("What gives its identifier, the best first."),
  })
  .openapi("Resource");
export type Resource = z.infer<typeof resource>;

/** Names that turn the direction of text belong to no parameter that a page could show. */
const saidPlace = { ...consumerPlace, name: displayName(consumerPlace.name) };

const apiParams = z.object({ apiId: z.uuid() });

export const listResources = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/resources",
  access: "apis:read",
  tag,
  summary: "Resources of the current document, in document order",
  description: "`query` searches name and path.",
  params: apiParams,
  query: listQuery,
  status: 200,
  response: pageSchema(resource.extend({ consumerCount: z.number().int() })),
});

export const getResource = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/resources/{resourceKey}",
  access: "apis:read",
  tag,
  summary: "One resource, with what needs its identifier",
  description: "At most 500 consumers are listed.",
  params: apiParams.extend({
    resourceKey: resourceKey.describe("Key of the resource, percent-encoded").openapi({ example: "/books/{}" }),
  }),
  status: 200,
  response: resource.extend({ consumers: z.array(consumer), consumerCount: z.number().int() }),
});

export const findDependencies = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/dependencies/find",
  access: "apis:read",
  audit: onlyReads,
  tag,
  summary: "What several operations need, and the resources that give it",
  description: "With the resources in which they have a role. Unknown operations are ignored.",
  params: apiParams,
  body: z.object({ operations: z.array(operationKey).min(1).max(200) }),
  status: 200,
  response: z.object({ consumers: z.array(consumer), resources: z.array(resource) }),
});

export const setDependency = endpoint({
  method: "put",
  path: "/api/v1/apis/{apiId}/dependencies",
  access: "apis:write",
  audit: "dependency",
  tag,
  summary: "Says which resource gives a value",
  description: "Confirms, corrects or adds a dependency. It stays when a new version of the document is imported.",
  params: apiParams,
  body: z
    .object({
      ...saidPlace,
      resource: resourceKey
        .nullable()
        .describe("Key of a resource of the current document; null: no resource gives it."),
    })
    .openapi({
      example: { operation: { method: "post", path: "/books" }, in: "query", name: "shelf", resource: "/books/{}" },
    }),
  status: 204,
});

export const forgetDependency = endpoint({
  method: "post",
  path: "/api/v1/apis/{apiId}/dependencies/forget",
  access: "apis:write",
  audit: "dependency",
  tag,
  summary: "Forgets what was said about a value",
  description: "The document's values apply again. Idempotent.",
  params: apiParams,
  body: z.object(saidPlace),
  status: 204,
});
