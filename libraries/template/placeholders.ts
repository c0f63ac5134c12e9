/** Matches `{{name}}`. A new instance per caller, since a global expression stores its last position. */
export const placeholderPattern = () => /\{\{\s*(\$?[A-Za-z_][\w.-]*)\s*\}\}/g;

/** Names whose values are generated for each request. */
export const generatedNames = ["$uuid", "$guid", "$timestamp", "$isoTimestamp", "$randomInt"] as const;

/** The distinct names that a text uses, without generated ones. */
export function listPlaceholders(text: string): string[] {
  const names = new Set([...text.matchAll(placeholderPattern())].map((match) => match[1]!));
  for (const name of generatedNames) names.delete(name);
  return [...names];
}
