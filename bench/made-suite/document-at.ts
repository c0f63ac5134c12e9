import { parse } from "yaml";

/**
 * An OpenAPI document whose only server is at this URL, as if its author had written it for the server that is measured.
 * @param text JSON or YAML
 * @param url for example `http://127.0.0.1:41236/api/v1`
 */
export function documentAt(text: string, url: string): string {
  const document = parse(text) as Record<string, unknown>;
  if (typeof document.swagger !== "string") return JSON.stringify({ ...document, servers: [{ url }] });
  const { host, pathname, protocol } = new URL(url);
  return JSON.stringify({ ...document, host, basePath: pathname, schemes: [protocol.slice(0, -1)] });
}
