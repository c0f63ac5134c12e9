import type { z } from "zod";

/** An optional field of a request. Many clients send `null` for an omitted field, so null is read as undefined. */
export function orNone<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
  return schema.nullish().transform((value) => value ?? undefined) as unknown as z.ZodOptional<Schema>;
}
