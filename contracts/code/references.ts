import { z } from "@hono/zod-openapi";
import { secretReference as storedReference } from "../security-service/secret-references.ts";

/** Identifies an object within its parent, in files and in references; stable when the object is renamed. */
export const codeKey = z
  .string()
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    "Use lower-case letters and digits, in words that single hyphens join, e.g. nightly-run",
  )
  .max(100, "A key has at most 100 characters")
  .openapi({ example: "bookshop" });

/** A test by the key of its API and its own. */
export const testReference = z
  .string()
  .max(201)
  .regex(/^[a-z0-9-]+\/[a-z0-9-]+$/, "Name a test by the key of its API and its own, e.g. bookshop/lists-all-books")
  .openapi({ example: "bookshop/lists-all-books" });

/** A credential is stored in the portal, and never created by files. */
export const credentialReference = z
  .object({
    name: z.string().min(1).max(200).openapi({ example: "Petstore key" }),
    domain: z
      .string()
      .min(1)
      .max(300)
      .describe("The host that it is bound to.")
      .openapi({ example: "api.example.com" }),
  })
  .describe("A credential of the organization, by name and domain.");
export type CredentialReference = z.infer<typeof credentialReference>;

export const secretName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,99}$/, "Name a secret in upper case, e.g. SHOP_PASSWORD")
  .openapi({ example: "SHOP_PASSWORD" });

/** The value is sent beside the objects, under this name, and never returned. */
export const secretReference = z.object({ secret: secretName });
export type SecretReference = z.infer<typeof secretReference>;

/** A secret that is read when a test uses it, instead of being stored. */
export const readElsewhere = z.strictObject({ reference: storedReference });

export const howSecretsAreWritten =
  "A secret is named, `{ secret: SHOP_PASSWORD }`, or says where it is read, as in `{ reference: { kind: vault, path: shop/live, key: password } }`.";
