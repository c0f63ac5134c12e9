/** The schemes of an operation that lack a config for the host of its requests. */
export interface UnansweredSchemes {
  host: string;
  /** With a link that creates a config, for viewers who may. */
  schemes: { name: string; createHref?: string }[];
}

/**
 * The security schemes whose missing configs leave an operation's request unauthorized: none once one of the
 * alternatives is complete, or when nothing is required.
 */
export function getUnmetSchemes(security: readonly (readonly string[])[], answered: ReadonlySet<string>): string[] {
  if (security.some((alternative) => alternative.every((name) => answered.has(name)))) return [];
  return [...new Set(security.flat())].filter((name) => !answered.has(name));
}
