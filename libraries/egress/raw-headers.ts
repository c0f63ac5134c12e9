/** Names and values in the order received, repeated ones apart. */
export function readHeaders(rawHeaders: readonly Buffer[], encoding: "latin1" | "utf8"): [string, string][] {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index]!.toString(encoding), rawHeaders[index + 1]!.toString(encoding)]);
  }
  return headers;
}

/** All values of a header, joined as a list. */
export function findHeader(headers: readonly [string, string][], lowerName: string): string | undefined {
  let found: string | undefined;
  for (const [name, value] of headers) {
    if (name.length !== lowerName.length || name.toLowerCase() !== lowerName) continue;
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}
