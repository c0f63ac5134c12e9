import { z } from "@hono/zod-openapi";

/** A path within Vault; no segment may lead out of it. */
export const vaultPath = z
  .string()
  .trim()
  .min(1, "Enter the path")
  .max(500, "Use at most 500 characters")
  .regex(/^[\w.@ -]+(\/[\w.@ -]+)*$/, "Write a path of letters, digits, . _ - and /, e.g. shop/production")
  .refine((path) => !path.split("/").some((segment) => /^\.+$/.test(segment)), "A path has no . or .. in it")
  .openapi({ example: "shop/production" });

/** A value in a KV secrets engine of version 2. */
export const vaultLocation = z.object({
  path: vaultPath.describe("Below the engine's mount."),
  key: z
    .string()
    .trim()
    .min(1, "Enter the key")
    .max(200, "Use at most 200 characters")
    .describe("Which of the secret's values.")
    .openapi({ example: "api_key" }),
});
export type VaultLocation = z.infer<typeof vaultLocation>;

/** Where a secret is read when it is needed, instead of being stored. */
export const secretReference = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("vault").describe("HashiCorp Vault, a KV secrets engine of version 2."),
      ...vaultLocation.shape,
    }),
    z.object({
      kind: z.literal("environment").describe("An environment variable of the process that sends the request."),
      name: z
        .string()
        .trim()
        .max(200, "Use at most 200 characters")
        .regex(/^[A-Z][A-Z0-9_]*$/, "Write the name of a variable, e.g. ASSURANCE_SECRET_SHOP")
        .openapi({ example: "ASSURANCE_SECRET_SHOP" }),
    }),
  ])
  .openapi("SecretReference");
export type SecretReference = z.infer<typeof secretReference>;
