import { z } from "@hono/zod-openapi";
import { endpoint } from "../kit/endpoint.ts";
import { apiServer, documentsTag, securityScheme } from "./documents.ts";

/** The document's description of the API as a whole. */
export const apiDescription = z
  .object({
    description: z.string(),
    servers: z.array(apiServer),
    ownServers: z
      .array(z.string())
      .optional()
      .describe(
        "URLs of servers that operations or paths have instead of these, the first 50. Absent where the document was imported before they were counted.",
      ),
    securitySchemes: z.array(securityScheme),
    webhooks: z
      .array(z.object({ name: z.string(), method: z.string(), summary: z.string() }))
      .describe("The first 500."),
    termsOfService: z.string().optional(),
    contact: z
      .object({ name: z.string().optional(), url: z.string().optional(), email: z.string().optional() })
      .optional(),
    license: z
      .object({ name: z.string().optional(), url: z.string().optional(), identifier: z.string().optional() })
      .optional(),
    externalDocs: z.object({ url: z.string(), description: z.string().optional() }).optional(),
  })
  .openapi("ApiDescription");
export type ApiDescription = z.infer<typeof apiDescription>;

export const describeApi = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/description",
  access: "apis:read",
  tag: documentsTag,
  summary: "The current document's description of its API",
  description: "Without its operations, which have their own list.",
  params: z.object({ apiId: z.uuid() }),
  status: 200,
  response: apiDescription,
});
