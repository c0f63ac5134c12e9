import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, onlyReads, pageSchema, type Tag } from "../kit/endpoint.ts";
import { credential, credentialInput } from "./credentials.ts";

const tag: Tag = {
  name: "Authorization configs",
  description: "Maps the security schemes of OpenAPI documents to credentials, by domain.",
};

const schemeName = z
  .string()
  .trim()
  .min(1, "Enter the name of the security scheme")
  .max(200, "Use at most 200 characters")
  .openapi({ example: "petstoreKey" });

export const authorizationConfig = z
  .object({
    id: identifier,
    domain: credential.shape.domain.describe("Host, or wildcard of hosts, whose requests it authorizes"),
    schemeName: schemeName.describe("Name under `components.securitySchemes`"),
    credentialId: identifier,
    credentialName: z.string().openapi({ example: "Petstore key" }),
    credentialFits: z
      .boolean()
      .describe(
        "Whether the credential may be sent to `domain`; a credential that has since been bound to another domain is not sent",
      ),
    type: credential.shape.type.describe("Type of the credential"),
    settings: credential.shape.settings.describe(
      "Settings of the credential, which are changed there; none of them is secret",
    ),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("AuthorizationConfig");
export type AuthorizationConfig = z.infer<typeof authorizationConfig>;

export const authorizationConfigInput = z
  .object({
    domain: credentialInput.shape.domain,
    schemeName,
    credentialId: z.uuid("Choose a credential").openapi({ example: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10" }),
  })
  .openapi("AuthorizationConfigInput");
export type AuthorizationConfigInput = z.infer<typeof authorizationConfigInput>;

const params = z.object({ authorizationConfigId: z.uuid() });

export const listAuthorizationConfigs = endpoint({
  method: "get",
  path: "/api/v1/authorization-configs",
  access: "signed-in",
  tag,
  summary: "Authorization configs of the organization, by domain and scheme",
  description: "A request that inherits its authorization uses those of its host.",
  query: listQuery,
  status: 200,
  response: pageSchema(authorizationConfig),
});

export const listDomainAuthorizationConfigs = endpoint({
  method: "get",
  path: "/api/v1/authorization-configs/domain/{domain}",
  access: "signed-in",
  tag,
  summary: "Authorization configs of one host, wildcards included",
  description: "Of two for the same scheme, the more specific domain takes precedence.",
  params: z.object({
    domain: z.string().max(300).describe("Host name, with its port if any").openapi({ example: "api.example.com" }),
  }),
  query: listQuery,
  status: 200,
  response: pageSchema(authorizationConfig),
});

export const createAuthorizationConfig = endpoint({
  method: "post",
  path: "/api/v1/authorization-configs",
  access: "domains:manage",
  audit: "authorizationConfig",
  tag,
  summary: "Creates an authorization config",
  description: "The domain is created if it does not exist. The credential must be allowed for the domain.",
  body: authorizationConfigInput,
  status: 201,
  response: authorizationConfig,
  locationPath: "/api/v1/authorization-configs/{id}",
  problems: { conflict: "The domain has a config for this scheme." },
});

export const getAuthorizationConfig = endpoint({
  method: "get",
  path: "/api/v1/authorization-configs/{authorizationConfigId}",
  access: "signed-in",
  tag,
  summary: "One authorization config",
  description: "With the type and settings of its credential.",
  params,
  status: 200,
  response: authorizationConfig,
});

export const changeAuthorizationConfig = endpoint({
  method: "put",
  path: "/api/v1/authorization-configs/{authorizationConfigId}",
  access: "domains:manage",
  audit: "authorizationConfig",
  tag,
  summary: "Changes an authorization config",
  description: "The domain can't be changed.",
  params,
  body: authorizationConfigInput,
  status: 200,
  response: authorizationConfig,
  problems: { conflict: "The domain has a config for this scheme." },
});

export const deleteAuthorizationConfig = endpoint({
  method: "delete",
  path: "/api/v1/authorization-configs/{authorizationConfigId}",
  access: "domains:manage",
  audit: "authorizationConfig",
  tag,
  summary: "Deletes an authorization config",
  description:
    "Its credential remains, and is sent according to its own type with requests that inherit their authorization.",
  params,
  status: 204,
});

export const hostRules = z.object({
  isVerified: z.boolean(),
  isTraced: z.boolean().optional().describe("Whether requests have a trace context (W3C)"),
  unsafeMethods: z
    .enum(["allowed", "confirmed", "refused"])
    .describe("The strictest policy of the domains that match the host"),
  ruledBy: z.string().nullable().describe("The domain that defines the policy; null when no domain matches the host"),
  authorizationConfigs: z
    .array(z.object({ schemeName: z.string(), credentialId: z.uuid() }))
    .describe("One per scheme, from the most specific domain"),
});
export type HostRules = z.infer<typeof hostRules>;

export const findHostRules = endpoint({
  method: "post",
  path: "/internal/v1/hosts/rules",
  access: "internal",
  audit: onlyReads,
  summary: "Policy and authorization configs of one host",
  body: z.object({ host: z.string().max(300).describe("Host name with the port if it is not the scheme's default") }),
  status: 200,
  response: hostRules,
});
