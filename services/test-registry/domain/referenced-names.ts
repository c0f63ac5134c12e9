import type { Test } from "#contracts/test-registry/tests.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";

/** Names a test references as `{{name}}`, in its request and in its expectations; disabled rows are ignored. */
export function listReferencedNames(
  { request, assertions }: Pick<Test, "request" | "assertions">,
  baseUrl: string | null,
): string[] {
  const { pathParameters, query, headers, cookies, body } = request;
  const isOn = ({ enabled }: { enabled: boolean }) => enabled;
  const sent = [
    request.baseUrl?.trim() ? request.baseUrl : baseUrl,
    ...[pathParameters, query, headers, cookies].map((pairs) => pairs.filter(isOn)),
    body.kind === "form" ? body.fields.filter(isOn) : body.kind === "multipart" ? body.parts.filter(isOn) : body,
  ];
  return listPlaceholders(JSON.stringify([sent, assertions]));
}
