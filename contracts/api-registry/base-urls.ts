import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";

export const listBaseUrls = endpoint({
  method: "get",
  path: "/internal/v1/base-urls",
  access: "internal",
  summary: "Base URLs of the organization's APIs",
  description:
    "For each API, the base URL in use, those of its environments and of operations with servers of their own; by name, at most 5,000 APIs.",
  status: 200,
  response: z.object({
    items: z.array(z.object({ apiId: z.uuid(), name: z.string(), baseUrls: z.array(z.string()) })),
  }),
});
