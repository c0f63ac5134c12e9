import type { z } from "zod";

/**
 * A field of a request that may be left out. Many clients send `null` for what they leave out, so it means the same;
 * in our own types it is simply optional.
 */
export function orNone<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  return schema.nullish().transform((value) => value ?? undefined) as unknown as z.ZodOptional<Schema>;
}
