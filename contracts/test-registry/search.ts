import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";
import { foundCounts, searchQuery } from "../kit/search.ts";

const tag: Tag = {
  name: "Search",
  description: "The likeliest matches by the beginnings of words, across the organization.",
};

export const foundTests = z
  .object({
    items: z.array(
      z.object({
        id: z.uuid(),
        apiId: z.uuid(),
        name: z.string(),
        method: z.string(),
        path: z.string(),
        enabled: z.boolean(),
      }),
    ),
    ...foundCounts,
  })
  .openapi("FoundTests");
export type FoundTests = z.infer<typeof foundTests>;

export const foundCircles = z
  .object({
    items: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        description: z.string(),
        apiIds: z.array(z.uuid()).describe("APIs of its members."),
      }),
    ),
    ...foundCounts,
  })
  .openapi("FoundTestCircles");
export type FoundCircles = z.infer<typeof foundCircles>;

export const searchTests = endpoint({
  method: "get",
  path: "/api/v1/test-search",
  access: "tests:read",
  tag,
  summary: "Finds tests and test circles by words",
  description:
    "Of tests the name, method, path and tags are searched; of circles the name and description. Tests of all APIs.",
  query: searchQuery,
  status: 200,
  response: z.object({ tests: foundTests, testCircles: foundCircles }),
});
