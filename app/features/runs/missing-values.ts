import type { Test } from "#contracts/test-registry/tests.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";

const isOn = ({ enabled }: { enabled: boolean }) => enabled;

/**
 * Variables that a test uses as `{{name}}` and that are undefined when it runs alone: neither in its rows of data nor
 * among the given values.
 */
export function listMissingValues(
  { request, assertions, data }: Pick<Test, "request" | "assertions" | "data">,
  given: readonly string[],
): string[] {
  const { pathParameters, query, headers, cookies, body } = request;
  const sent = [
    request.baseUrl,
    ...[pathParameters, query, headers, cookies].map((pairs) => pairs.filter(isOn)),
    body.kind === "form" ? body.fields.filter(isOn) : body.kind === "multipart" ? body.parts.filter(isOn) : body,
  ];
  const known = new Set([...given, ...(data ?? []).flatMap((row) => Object.keys(row))]);
  return listPlaceholders(JSON.stringify([sent, assertions])).filter((name) => !known.has(name));
}
