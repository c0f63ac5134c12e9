import { z } from "@hono/zod-openapi";

const maxIdentifiers = 200;

/** Identifiers in one query parameter, separated by commas: at most 200, deduplicated. */
export const identifierList = z
  .string()
  .max(8_000)
  .transform((text) => [...new Set(text.split(",").filter(Boolean))])
  .pipe(z.array(z.string()).max(maxIdentifiers, `Enter at most ${maxIdentifiers} identifiers`))
  .refine((ids) => ids.every((id) => z.uuid().safeParse(id).success), "Enter identifiers, separated by commas")
  .describe(`Separated by commas, at most ${maxIdentifiers}.`)
  .openapi({ type: "string", example: "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10" });
