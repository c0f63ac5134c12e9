import { z } from "@hono/zod-openapi";
import { orNone } from "../kit/or-none.ts";
import { secretReference } from "../security-service/secret-references.ts";

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][\w-]{0,99}$/, "Use letters, digits, _ and -, starting with a letter");

export const maxVariableCharacters = 10_000;

/** `value`: null in responses; null in a request keeps the stored value. */
export const secretVariable = z
  .object({
    name: variableName,
    value: z
      .string()
      .max(maxVariableCharacters)
      .nullable()
      .default(null)
      .describe("Encrypted, never returned, and replaced in recorded data. Null in a request keeps the stored value."),
    reference: orNone(secretReference).describe(
      "Where the value is read whenever a test uses it, instead of being stored here. Setting or changing one needs the scope `credentials:manage`.",
    ),
  })
  .openapi("SecretVariable");
export type SecretVariable = z.infer<typeof secretVariable>;

export const secretVariables = z.array(secretVariable).max(200, "At most 200 secret variables");
