/** One step down into a JSON document: a member's name or an item's index. */
export type JsonStep = string | number;

/** The JSONPath (RFC 9535) of one value: `$.items[0].id`, with `['…']` where a name is no plain word. */
export function jsonPathOf(steps: readonly JsonStep[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === "number") return `${path}[${step}]`;
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(step) ? `${path}.${step}` : `${path}['${escaped(step)}']`;
  }, "$");
}

/** JSON's own escapes fit a single-quoted name, but for the quotes. */
function escaped(name: string): string {
  return JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
}
