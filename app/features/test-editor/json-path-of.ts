/** One step down into a JSON document: a member's name or an item's index. */
export type JsonStep = string | number;

/** The JSONPath (RFC 9535) of one value: `$.items[0].id`, with `['…']` for a name that is no identifier. */
export function jsonPathOf(steps: readonly JsonStep[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === "number") return `${path}[${step}]`;
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(step) ? `${path}.${step}` : `${path}['${escaped(step)}']`;
  }, "$");
}

/** JSON's own escapes are valid in a single-quoted name, except for the quotes. */
function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}
