export interface MediaType {
  type: string;
  subtype: string;
  parameters: Map<string, string>;
}

/** RFC 9110, 8.3.1; undefined for an invalid media type. */
export function parseMediaType(text: string): MediaType | undefined {
  const [essence = "", ...rest] = text.split(";");
  const parts = /^\s*([^\s/]+)\/([^\s/]+)\s*$/.exec(essence);
  if (!parts) return undefined;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const equals = part.indexOf("=");
    if (equals < 0) continue;
    const value = part
      .slice(equals + 1)
      .trim()
      .replace(/^"(.*)"$/, "$1");
    parameters.set(part.slice(0, equals).trim().toLowerCase(), value.toLowerCase());
  }
  return { type: parts[1]?.toLowerCase() ?? "", subtype: parts[2]?.toLowerCase() ?? "", parameters };
}

function matchesPart(documented: string, actual: string): boolean {
  if (!documented.includes("*")) return documented === actual;
  const [start = "", ...rest] = documented.split("*");
  const end = rest.at(-1) ?? "";
  return actual.length >= start.length + end.length && actual.startsWith(start) && actual.endsWith(end);
}

/**
 * Whether the actual media type matches the documented one. Wildcards match; parameters count when documented, except
 * that a missing charset is ignored: JSON has only one.
 */
export function matchesMediaType(documented: MediaType, actual: MediaType): boolean {
  if (!matchesPart(documented.type, actual.type) || !matchesPart(documented.subtype, actual.subtype)) return false;
  for (const [name, value] of documented.parameters) {
    const came = actual.parameters.get(name);
    if (came === undefined ? name !== "charset" : came !== value) return false;
  }
  return true;
}

export function isJson({ type, subtype }: MediaType): boolean {
  return subtype === "json" ? type === "application" || type === "text" : subtype.endsWith("+json");
}
