import { z } from "@hono/zod-openapi";
import { endpoint, type Tag } from "../kit/endpoint.ts";
import { securityScheme } from "./documents.ts";

const tag: Tag = {
  name: "Authentication",
  description: "What the operations of an API require from callers. Matching credentials are stored by domain.",
};

export const securityRequirement = z
  .array(z.array(z.string()))
  .describe("Alternatives; each is the names of the security schemes that it takes together, none for an empty one.");

export const authentication = z
  .object({
    securitySchemes: z.array(securityScheme),
    requirements: z
      .array(securityRequirement)
      .describe(
        "The different requirements of its operations, the most frequent first, at most 50. For a document that was imported before they were recorded: one, with each scheme as an alternative.",
      ),
    sendsHostCredentials: z
      .boolean()
      .nullable()
      .describe(
        "For a document without security schemes: whether generated tests send the credentials stored for their host anyway. Null: undecided.",
      ),
  })
  .openapi("Authentication");
export type Authentication = z.infer<typeof authentication>;

const params = z.object({ apiId: z.uuid() });

export const getAuthentication = endpoint({
  method: "get",
  path: "/api/v1/apis/{apiId}/authentication",
  access: "apis:read",
  tag,
  summary: "What the operations of the API ask for",
  description: "The security schemes of the current document, and how its operations combine them.",
  params,
  status: 200,
  response: authentication,
});

export const changeAuthentication = endpoint({
  method: "put",
  path: "/api/v1/apis/{apiId}/authentication",
  access: "apis:write",
  audit: "authentication",
  tag,
  summary: "Sets whether generated tests send the credentials of their host",
  description: "Applies to new tests while the document has no security schemes. Existing tests are not changed.",
  params,
  body: z.object({ sendsHostCredentials: z.boolean() }),
  status: 200,
  response: authentication,
});
