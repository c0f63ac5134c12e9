import { z } from "@hono/zod-openapi";
import { listQuery, operation, pageOf } from "../../kit/contract/operation.ts";
import { orNone } from "../../kit/contract/or-none.ts";

export const credentialTypes = ["basic", "bearer", "apiKey"] as const;

const settings = z.object({
  /** Basic: the user name. */
  username: orNone(z.string().max(500)),
  /** API key: where it goes and under which name. */
  in: orNone(z.enum(["header", "query", "cookie"])),
  parameterName: orNone(z.string().max(200)),
});

export const credential = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** Host the secret may be sent to: `api.example.com`, `127.0.0.1:8080` or `*.example.com`. */
    domain: z.string(),
    type: z.enum(credentialTypes),
    settings,
    secretSet: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .openapi("Credential");
export type Credential = z.infer<typeof credential>;

export const credentialInput = z
  .object({
    name: z.string().trim().min(1, "Give the credential a name").max(200),
    domain: z
      .string()
      .trim()
      .toLowerCase()
      .regex(
        /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/,
        "Write a host name as in api.example.com, with a port if it has one",
      ),
    type: z.enum(credentialTypes),
    settings,
    /**
     * Password, token or key. Written, never read. Left out on PUT it stays, unless type or domain change: a stored
     * secret is never carried to another host.
     */
    secret: orNone(z.string().min(1, "Enter the secret").max(10_000)),
  })
  .openapi("CredentialInput");
export type CredentialInput = z.infer<typeof credentialInput>;

const params = z.object({ credentialId: z.uuid() });

export const listCredentials = operation({
  method: "get",
  path: "/api/v1/credentials",
  access: "signed-in",
  summary: "Credentials of the organization, without their secrets",
  /** `domain` keeps those that may be sent to this host, wildcards included. */
  query: listQuery.extend({ domain: z.string().max(300).optional() }),
  status: 200,
  answer: pageOf(credential),
});

export const listDomainCredentials = operation({
  method: "get",
  path: "/api/v1/credentials/domain/{domain}",
  access: "signed-in",
  summary: "Credentials that may be sent to one host, wildcards included",
  params: z.object({ domain: z.string().max(300) }),
  query: listQuery,
  status: 200,
  answer: pageOf(credential),
});

export const createCredential = operation({
  method: "post",
  path: "/api/v1/credentials",
  access: "credentials:manage",
  audit: "credential",
  summary: "Stores a credential",
  body: credentialInput,
  status: 201,
  answer: credential,
});

export const getCredential = operation({
  method: "get",
  path: "/api/v1/credentials/{credentialId}",
  access: "signed-in",
  summary: "One credential, without its secret",
  params,
  status: 200,
  answer: credential,
});

export const changeCredential = operation({
  method: "put",
  path: "/api/v1/credentials/{credentialId}",
  access: "credentials:manage",
  audit: "credential",
  summary: "Changes a credential; its secret stays when none is given",
  params,
  body: credentialInput,
  status: 200,
  answer: credential,
});

export const deleteCredential = operation({
  method: "delete",
  path: "/api/v1/credentials/{credentialId}",
  access: "credentials:manage",
  audit: "credential",
  summary: "Deletes a credential",
  params,
  status: 204,
});

/**
 * Opens secrets for the one service that sends them. Answers only those whose domain fits `host`
 * (host name with the port when it is not the scheme's default), so a secret can't be sent elsewhere.
 */
export const openCredentials = operation({
  method: "post",
  path: "/internal/v1/credentials/open",
  access: "internal",
  audit: { nothingBecause: "It only asks" },
  summary: "Opens credentials for sending them to a host they are bound to",
  body: z.object({
    host: z.string().max(300),
    /** Named ones; without it, every credential whose domain fits (a request that inherits). */
    credentialIds: z.array(z.uuid()).max(20).optional(),
  }),
  status: 200,
  answer: z.object({
    items: z.array(
      z.object({ id: z.uuid(), name: z.string(), type: z.enum(credentialTypes), settings, secret: z.string() }),
    ),
    /** Ids that exist but are bound to another host, and ids that do not exist. */
    refused: z.array(z.object({ id: z.uuid(), reason: z.enum(["other_domain", "not_found"]) })),
  }),
});
