/** What nothing answers of what an operation asks for, at the host its requests go to. */
export interface UnansweredSchemes {
  host: string;
  /** With where a config for it is made, for whoever may. */
  schemes: { name: string; createHref?: string }[];
}

/**
 * The security schemes that keep a request from being authorized as its operation asks for: none as soon as one of the
 * alternatives is answered as a whole, or nothing is asked for.
 */
export function unansweredOf(security: readonly (readonly string[])[], answered: ReadonlySet<string>): string[] {
  if (security.some((alternative) => alternative.every((name) => answered.has(name)))) return [];
  return [...new Set(security.flat())].filter((name) => !answered.has(name));
}
