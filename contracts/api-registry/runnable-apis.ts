import { z } from "@hono/zod-openapi";
import { endpoint, onlyAsks } from "../kit/endpoint.ts";
import { apiSummary } from "./apis.ts";
import { environment } from "./environments.ts";

/** What has to be known of an API to send requests to it. */
const runnableApi = z.object({
  api: apiSummary,
  environments: z.array(environment),
  /** Of whichever environment; one of its own goes before. An older registry says nothing of them. */
  variables: z.record(z.string(), z.string()).optional(),
});
export type RunnableApi = z.infer<typeof runnableApi>;

/** In one call. */
export const mostApisAsked = 100;

export const listRunnableApis = endpoint({
  method: "post",
  path: "/internal/v1/runnable-apis",
  access: "internal",
  audit: onlyAsks,
  summary: "APIs with what has to be known to send requests to them",
  body: z.object({ items: z.array(z.object({ organizationId: z.uuid(), apiId: z.uuid() })).max(mostApisAsked) }),
  status: 200,
  answer: z.object({
    items: z.array(runnableApi.nullable()).describe("As asked for, one by one; null of what is not there."),
  }),
});
