/** `{{name}}`, where a variable's value is to stand; made anew for each reader, since it remembers its place. */
export const placeholderPattern = () => /\{\{\s*(\$?[A-Za-z_][\w.-]*)\s*\}\}/g;

/** Names that every request has a value of its own for. */
export const generatedNames = ["$uuid", "$guid", "$timestamp", "$isoTimestamp", "$randomInt"] as const;

/** The names a text asks for, each once, generated ones aside. */
export function listPlaceholders(text: string): string[] {
  const names = new Set([...text.matchAll(placeholderPattern())].map((match) => match[1]!));
  for (const name of generatedNames) names.delete(name);
  return [...names];
}
