import { z } from "@hono/zod-openapi";
import { endpoint, moment, onlyReads, type Tag } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { vaultPath } from "./secret-references.ts";

const tag: Tag = {
  name: "HashiCorp Vault",
  description: "Where credentials whose secret is in Vault are read: one connection of an organization.",
};

export const vaultAuthentications = ["token", "appRole"] as const;

const address = z
  .string({ error: "Enter the URL" })
  .trim()
  .max(500, "Use at most 500 characters")
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  }, "Write an address e.g. https://vault.example.com:8200")
  .transform((text) => text.replace(/\/+$/, ""))
  .openapi({ example: "https://vault.example.com:8200" });

const settings = {
  address,
  namespace: z
    .string()
    .trim()
    .max(200, "Use at most 200 characters")
    .regex(/^[\w./-]*$/, "A namespace has letters, digits, . _ - and /")
    .describe("Of Vault Enterprise and HCP; empty without one."),
  mount: vaultPath.describe("Of the KV secrets engine, version 2.").openapi({ example: "secret" }),
  authentication: z.enum(vaultAuthentications),
  roleId: z.string().trim().max(200, "Use at most 200 characters").describe("For AppRole; empty for a token."),
};

export const vaultConnection = z.object({ ...settings, updatedAt: moment }).openapi("VaultConnection");
export type VaultConnection = z.infer<typeof vaultConnection>;

export const vaultConnectionInput = z
  .object({
    ...settings,
    namespace: settings.namespace.default(""),
    mount: settings.mount.default("secret"),
    roleId: settings.roleId.default(""),
    secret: orNone(
      z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]+$/, "Enter it without spaces")
        .max(4_000),
    )
      .describe(
        "The token, or the AppRole's secret id. Never returned. Omitted, it is unchanged unless the address's host or the kind of authentication changes.",
      )
      .openapi({ format: "password", example: "hvs.CAESIJ0000" }),
  })
  .openapi("VaultConnectionInput");
export type VaultConnectionInput = z.infer<typeof vaultConnectionInput>;

const path = "/api/v1/current-organization/vault";

export const getVaultConnection = endpoint({
  method: "get",
  path,
  access: "credentials:manage",
  tag,
  summary: "The organization's connection to Vault",
  description: "Without its token or secret id.",
  status: 200,
  response: z.object({
    connection: vaultConnection.nullable().describe("Null without one"),
    environmentPrefix: z
      .string()
      .nullable()
      .describe("How environment variables begin that credentials may name; null where none may."),
  }),
});

export const setVaultConnection = endpoint({
  method: "put",
  path,
  access: "credentials:manage",
  audit: "vaultConnection",
  tag,
  summary: "Sets the organization's connection to Vault",
  description: "Secrets are read from there from then on. Nothing is read before a credential is used.",
  body: vaultConnectionInput,
  status: 200,
  response: vaultConnection,
});

export const deleteVaultConnection = endpoint({
  method: "delete",
  path,
  access: "credentials:manage",
  audit: "vaultConnection",
  tag,
  summary: "Deletes the organization's connection to Vault",
  description: "Tests with a credential whose secret is in Vault end `errored` from then on.",
  status: 204,
  problems: { not_found: "There is none." },
});

/** For the executioner, the only reader of values of secret variables. */
export const readVaultSecret = endpoint({
  method: "post",
  path: "/internal/v1/vault-secrets/read",
  access: "internal",
  audit: onlyReads,
  summary: "Reads a secret in the organization's Vault",
  body: z.object({ path: vaultPath, key: z.string().min(1).max(200) }),
  status: 200,
  response: z.object({
    value: z.string().nullable().describe("Null if it can't be read."),
    detail: z.string().describe("Why, as a sentence; empty with a value."),
  }),
});
