/** Within single quotes a shell takes everything literally, except the quote itself. */
export function shellQuoted(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

/** A word of curl's `-F`, which splits at semicolons and commas. */
export function curlWord(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
