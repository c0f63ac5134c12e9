/** With a capital letter first, at the beginning of a cell or a line. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
