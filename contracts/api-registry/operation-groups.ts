import { z } from "@hono/zod-openapi";
import { completeListSchema, endpoint } from "../kit/endpoint.ts";
import { operationsTag } from "./operations.ts";

export const operationTag = z.object({
  name: z.string(),
  description: z.string().optional(),
  operationCount: z.number().int(),
});

export const listOperationTags = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/operation-tags",
  access: "apis:read",
  tag: operationsTag,
  summary: "Tags of operations",
  description: "In document order, the first 500, each with its number of operations.",
  params: z.object({ apiId: z.uuid() }),
  status: 200,
  response: completeListSchema(operationTag),
});

export const operationGroup = z
  .object({
    kind: z.enum(["tag", "prefix"]).describe("`prefix` for operations without a tag: the first segment of their paths"),
    name: z.string().openapi({ example: "books" }),
    operationCount: z.number().int(),
  })
  .openapi("OperationGroup");
export type OperationGroup = z.infer<typeof operationGroup>;

export const listOperationGroups = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/operation-groups",
  access: "apis:read",
  tag: operationsTag,
  summary: "Groups of operations",
  description:
    "Tags in document order, then path prefixes of operations without a tag. The first 500, each with its number of operations.",
  params: z.object({ apiId: z.uuid() }),
  status: 200,
  response: z.object({ items: z.array(operationGroup), total: z.number().int() }),
});
