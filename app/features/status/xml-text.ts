const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text of XML, also within attributes. Characters that XML does not allow are removed. */
export function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, " ").replace(/[&<>"']/g, (one) => entities[one]!);
}
