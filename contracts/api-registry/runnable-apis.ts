import { z } from "@hono/zod-openapi";
import { endpoint, onlyReads } from "../kit/endpoint.ts";
import { apiSummary } from "./apis.ts";
import { environment } from "./environments.ts";
import { secretVariable } from "./secret-variables.ts";

/** Everything needed to send requests to an API. */
const runnableApi = z.object({
  api: apiSummary,
  environments: z.array(environment),
  /**
   * Shared by all environments; an environment's own value takes precedence. Absent in responses of an older registry.
   */
  variables: z.record(z.string(), z.string()).optional(),
  /** Without values. Absent in responses of an older registry. */
  secretVariables: z.array(secretVariable).optional(),
  /** Whether operations may have servers of their own. Absent in responses of an older registry, which doesn't know. */
  hasOwnServers: z.boolean().optional(),
  /** Whether its document has security schemes. Absent in responses of an older registry. */
  hasSecuritySchemes: z.boolean().optional(),
});
export type RunnableApi = z.infer<typeof runnableApi>;

/** Per call. */
export const maxApisPerRequest = 100;

export const listRunnableApis = endpoint({
  method: "post",
  path: "/internal/v1/runnable-apis",
  access: "internal",
  audit: onlyReads,
  summary: "APIs with everything needed to send requests to them",
  body: z.object({ items: z.array(z.object({ organizationId: z.uuid(), apiId: z.uuid() })).max(maxApisPerRequest) }),
  status: 200,
  response: z.object({
    items: z.array(runnableApi.nullable()).describe("In request order; null for an unknown id."),
  }),
});
