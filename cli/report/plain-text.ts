/** Controls other than the line feed, separators, and what changes the direction of text. */
const unprintable = /(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Text that quotes a document or a response: it can't move the cursor, and no line of it is a command of the log that it
 * is written to (`::error`).
 */
export function toPlainText(text: string): string {
  return text
    .replace(/\r\n|\t/g, " ")
    .replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/^([^\S\n]*)::/gm, "$1: :")
    .replaceAll("##[", "# #[");
}
