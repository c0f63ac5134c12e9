import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";
import { foundCounts, searchQuery } from "../kit/search.ts";

const tag: Tag = {
  name: "Search",
  description: "The likeliest matches by the beginnings of words, across the organization.",
};

export const foundApis = z
  .object({
    items: z.array(z.object({ id: z.uuid(), name: z.string(), version: z.string(), operationCount: z.number().int() })),
    ...foundCounts,
  })
  .openapi("FoundApis");
export type FoundApis = z.infer<typeof foundApis>;

export const foundOperations = z
  .object({
    items: z.array(
      z.object({
        apiId: z.uuid(),
        apiName: z.string(),
        method: z.string(),
        path: z.string(),
        summary: z.string(),
        deprecated: z.boolean(),
      }),
    ),
    ...foundCounts,
  })
  .openapi("FoundOperations");
export type FoundOperations = z.infer<typeof foundOperations>;

export const searchApis = endpoint({
  method: "get",
  path: "/api/v1/api-search",
  access: "apis:read",
  tag,
  summary: "Finds APIs and operations by words",
  description:
    "Of APIs the name is searched; of operations the method, path, summary, operation id and tags, in the current document of each API. For example, `get orders`.",
  query: searchQuery,
  status: 200,
  response: z.object({ apis: foundApis, operations: foundOperations }),
});
