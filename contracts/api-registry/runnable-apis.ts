import { z } from "@hono/zod-openapi";
import { endpoint, onlyAsks } from "../kit/endpoint.ts";
import { apiSummary } from "./apis.ts";
import { environment } from "./environments.ts";

/** Everything needed to send requests to an API. */
const runnableApi = z.object({
  api: apiSummary,
  environments: z.array(environment),
  /**
   * Shared by all environments; an environment's own value takes precedence. Absent in responses of an older registry.
   */
  variables: z.record(z.string(), z.string()).optional(),
});
export type RunnableApi = z.infer<typeof runnableApi>;

/** Per call. */
export const mostApisAsked = 100;

export const listRunnableApis = endpoint({
  method: "post",
  path: "/internal/v1/runnable-apis",
  access: "internal",
  audit: onlyAsks,
  summary: "APIs with everything needed to send requests to them",
  body: z.object({ items: z.array(z.object({ organizationId: z.uuid(), apiId: z.uuid() })).max(mostApisAsked) }),
  status: 200,
  answer: z.object({
    items: z.array(runnableApi.nullable()).describe("In request order; null for an unknown id."),
  }),
});
