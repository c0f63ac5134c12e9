/** Controls, and what changes the direction of text after it (see `contracts/kit/display-name.ts`). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
const invisible = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069\p{Surrogate}]+/gu;

/** A name of a file as tests, circles and credentials may have it. */
export function toName(text: string, maxCharacters = 280): string {
  const plain = text.replace(invisible, " ").trim().slice(0, maxCharacters);
  // The cut must not leave a lone surrogate either.
  return plain.replace(/\p{Surrogate}$/u, "").trim() || "Request";
}
