/**
 * PostgreSQL's text has no NUL and no lone surrogates; the described JSON keeps them escaped, columns get a
 * replacement.
 */
export function storableText(text: string, mostCharacters = 10_000): string {
  const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
  return /\0|\p{Surrogate}/u.test(cut) ? cut.replace(/\0|\p{Surrogate}/gu, "\ufffd") : cut;
}
