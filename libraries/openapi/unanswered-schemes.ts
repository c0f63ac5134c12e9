/** Alternatives of a security requirement, each with the names of the schemes that it takes together. */
export type Alternatives = readonly (readonly string[])[];

/** The same of an operation, without scopes. */
export function toAlternatives(security: readonly (readonly { schemeName: string }[])[]): string[][] {
  return security.map((alternative) => alternative.map(({ schemeName }) => schemeName));
}

/**
 * What an operation's requirement still lacks: of each alternative the unanswered schemes. Empty where nothing is
 * required, where an alternative is empty (OpenAPI's `{}`), and where one is answered as a whole.
 */
export function listUnanswered(alternatives: Alternatives, isAnswered: (schemeName: string) => boolean): string[][] {
  const lacking = alternatives.map((names) => [...new Set(names)].filter((name) => !isAnswered(name)));
  if (lacking.some((names) => names.length === 0)) return [];
  const seen = new Set<string>();
  return lacking.filter((names) => {
    const key = JSON.stringify([...names].sort());
    return !seen.has(key) && seen.add(key);
  });
}
