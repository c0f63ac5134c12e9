import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint, identifier, listQuery, moment, onlyReads, pageSchema, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { awsSignatureV4 } from "./credential-types/aws-signature-v4.ts";
import { mutualTls } from "./credential-types/mutual-tls.ts";
import { credentialSettings, credentialTypes } from "./credential-types/settings.ts";
import { secretReference, vaultLocation } from "./secret-references.ts";

const tag: Tag = { name: "Credentials", description: "What tests sign in with, at the hosts they are bound to." };

const found = <Item extends z.ZodRawShape>(item: Item) =>
  z.object({ total: z.number().int(), items: z.array(z.object({ id: z.uuid(), ...item })) });
const used = <Item extends z.ZodRawShape>(item: Item) => found({ name: z.string(), ...item }).nullable();

/** Who would miss a credential. */
export const credentialUse = z
  .object({
    tests: used({ apiId: z.uuid() }).describe(
      "Tests that name it; the first 20 by name. Null while test-registry is away.",
    ),
    apis: used({}).describe(
      "APIs with a base URL at its domain, an environment's included: their tests send it when they inherit their authorization. The first 20 by name; null while api-registry is away.",
    ),
    authorizationConfigs: found({ domain: z.string(), schemeName: z.string() }).describe(
      "Those that use it for a security scheme; the first 20 by domain and scheme.",
    ),
  })
  .openapi("CredentialUse");
export type CredentialUse = z.infer<typeof credentialUse>;

export const credential = z
  .object({
    id: identifier,
    name: z.string().openapi({ example: "Petstore key" }),
    domain: z
      .string()
      .describe("Host the secret may be sent to: `api.example.com`, `127.0.0.1:8080` or `*.example.com`")
      .openapi({ example: "api.example.com" }),
    type: z.enum(credentialTypes),
    settings: credentialSettings,
    secretSet: z.boolean().describe("Whether a secret is stored; it is never returned").openapi({ example: true }),
    reference: secretReference.nullable().describe("Where the secret is read when it is needed; null if it is kept."),
    secretSetAt: moment.describe("When the secret that is kept was given."),
    usedBy: credentialUse
      .nullable()
      .describe("Null where it was not asked for, and for who may not read tests and APIs."),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("Credential");
export type Credential = z.infer<typeof credential>;
export type CredentialSettings = z.infer<typeof credentialSettings>;

export const credentialInput = z
  .object({
    name: displayName(z.string().trim().min(1, "Give the credential a name").max(200)).openapi({
      example: "Petstore key",
    }),
    domain: z
      .string()
      .trim()
      .toLowerCase()
      .regex(
        /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/,
        "Enter a host name, e.g. api.example.com, with a port if it has one",
      )
      .openapi({ example: "api.example.com" }),
    type: z.enum(credentialTypes),
    settings: credentialSettings,
    secret: orNone(z.string().min(1, "Enter the secret").max(10_000)).describe(
      "Password, token, key, client secret or private key. Written, never read. Left out on PUT it stays, unless type, domain or the token URL's host change: a stored secret is never carried to another host.",
    ),
    reference: orNone(secretReference).describe(
      "Instead of `secret`: where it is read when it is needed. It is kept in memory for seconds only.",
    ),
  })
  .openapi("CredentialInput", {
    example: { name: "Petstore key", domain: "api.example.com", type: "bearer", settings: {}, secret: "pk_5f2b1c90" },
  });
export type CredentialInput = z.infer<typeof credentialInput>;

const pageQuery = listQuery.extend({
  usedBy: z
    .enum(["true", "false"])
    .default("true")
    .describe("Whether `usedBy` is included; without it the response is faster"),
});

const params = z.object({ credentialId: z.uuid() });

export const listCredentials = endpoint({
  method: "get",
  path: "/api/v1/credentials",
  access: "signed-in",
  tag,
  summary: "Credentials of the organization, without their secrets",
  description:
    "Their secrets are written, never read. `query` is beginnings of words of name and domain; all of them have to be there.",
  query: pageQuery.extend({
    domain: z.string().max(300).optional().describe("Keeps those that may be sent to this host, wildcards included"),
  }),
  status: 200,
  response: pageSchema(credential),
});

export const listDomainCredentials = endpoint({
  method: "get",
  path: "/api/v1/credentials/domain/{domain}",
  access: "signed-in",
  tag,
  summary: "Credentials that may be sent to one host, wildcards included",
  description: "Those bound to the host itself or to a wildcard that it fits.",
  params: z.object({
    domain: z.string().max(300).describe("Host, with its port if it has one").openapi({ example: "api.example.com" }),
  }),
  query: pageQuery,
  status: 200,
  response: pageSchema(credential),
});

export const createCredential = endpoint({
  method: "post",
  path: "/api/v1/credentials",
  access: "credentials:manage",
  audit: "credential",
  tag,
  summary: "Stores a credential",
  description: "The secret is encrypted immediately and sent only to hosts of its `domain`.",
  body: credentialInput,
  status: 201,
  response: credential,
  locationPath: "/api/v1/credentials/{id}",
  problems: { conflict: "There is a credential of this name." },
});

export const getCredential = endpoint({
  method: "get",
  path: "/api/v1/credentials/{credentialId}",
  access: "signed-in",
  tag,
  summary: "One credential, without its secret",
  description: "What it is for; `secretSet` says whether its secret is there.",
  params,
  status: 200,
  response: credential,
});

export const changeCredential = endpoint({
  method: "put",
  path: "/api/v1/credentials/{credentialId}",
  access: "credentials:manage",
  audit: "credential",
  tag,
  summary: "Changes a credential",
  description:
    "The secret stays when none is given, unless type, domain or the token URL's host change: a stored secret is never carried to another host.",
  params,
  body: credentialInput,
  status: 200,
  response: credential,
  problems: { conflict: "A credential with this name exists, or someone else changed this one in the meantime." },
});

export const replaceSecret = endpoint({
  method: "put",
  path: "/api/v1/credential-secrets/{credentialId}",
  access: "credentials:manage",
  audit: "credential",
  tag,
  summary: "Replaces a credential's secret",
  description: "The new secret is used immediately and replaces the old one; name, domain and settings stay.",
  params,
  body: z.object({
    secret: z.string().min(1, "Enter the secret").max(10_000).openapi({ example: "a new secret" }),
    certificate: mutualTls.settings.shape.certificate.describe("Mutual TLS: the new private key's certificate."),
    accessKeyId: awsSignatureV4.settings.shape.accessKeyId.describe("AWS Signature v4: the new access key's id."),
  }),
  status: 200,
  response: credential,
  problems: { conflict: "Someone else changed this credential in the meantime." },
});

export const deleteCredential = endpoint({
  method: "delete",
  path: "/api/v1/credentials/{credentialId}",
  access: "credentials:manage",
  audit: "credential",
  tag,
  summary: "Deletes a credential",
  description: "Tests that name it end `errored` from then on. Its authorization configs go with it.",
  params,
  status: 204,
});

export const openCredentials = endpoint({
  method: "post",
  path: "/internal/v1/credentials/open",
  access: "internal",
  audit: onlyReads,
  summary: "Opens credentials for sending them to a host they are bound to",
  description:
    "Opens secrets for the one service that sends them. Returns only those whose domain matches `host` (host name with the port when it is not the scheme's default), so a secret can't be sent elsewhere.",
  body: z.object({
    host: z.string().max(300),
    credentialIds: z
      .array(z.uuid())
      .max(20)
      .optional()
      .describe("Named ones; without it, every credential whose domain fits (a request that inherits)."),
    leavesVault: z.boolean().default(false).describe("Whether who sends the request reads Vault itself."),
  }),
  status: 200,
  response: z.object({
    items: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        type: z.enum(credentialTypes),
        settings: credentialSettings,
        secret: z.string(),
        environmentName: z.string().optional().describe("The secret is this variable of the caller's environment."),
        vault: vaultLocation.optional().describe("Where in Vault the secret is, if it was left there."),
        problem: z.string().optional().describe("Why the secret could not be read, as a sentence."),
      }),
    ),
    refused: z
      .array(z.object({ id: z.uuid(), reason: z.enum(["other_domain", "not_found"]) }))
      .describe("Ids that exist but are bound to another host, and ids that do not exist."),
  }),
});
