import type { z } from "@hono/zod-openapi";

/**
 * Bidirectional embeddings, overrides and isolates: a name with one of them can read as another, and reorders the text
 * after it (UTS 39, UAX 9). Arabic and Hebrew names need none.
 */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/;

/** A name or title that pages, emails and logs display among other text. */
export function displayName<Name extends z.ZodType<string>>(schema: Name): Name {
  return schema.refine((text) => !directionControls.test(text), {
    error: "Remove the invisible characters that change the direction of text",
  }) as Name;
}

/** For names taken from elsewhere, such as documents: without direction controls, and lone surrogates replaced. */
export function toDisplayName(text: string, maxCharacters: number): string {
  const plain = text.replace(/\p{Surrogate}/gu, "\ufffd").replace(new RegExp(directionControls, "g"), "");
  // The cut must not leave a lone surrogate either.
  return plain.slice(0, maxCharacters).replace(/\p{Surrogate}$/u, "");
}
