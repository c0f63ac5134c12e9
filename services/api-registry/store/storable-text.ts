/**
 * PostgreSQL's text has no NUL and no lone surrogates; the described JSON keeps them escaped, columns get a
 * replacement.
 */
export function storableText(text: string, maxCharacters = 10_000): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
  return /\0|\p{Surrogate}/u.test(cut) ? cut.replace(/\0|\p{Surrogate}/gu, "\ufffd") : cut;
}
