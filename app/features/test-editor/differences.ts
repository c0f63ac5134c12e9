import type { TestInput } from "#contracts/test-registry/tests.ts";

const parts: [label: string, part: (test: TestInput) => unknown][] = [
  ["name", ({ name }) => name],
  ["enabled", ({ enabled }) => enabled],
  ["tags", ({ tags }) => tags],
  ["base URL", ({ request }) => request.baseUrl],
  ["path parameters", ({ request }) => request.pathParameters],
  ["query", ({ request }) => request.query],
  ["headers", ({ request }) => request.headers],
  ["cookies", ({ request }) => request.cookies],
  ["body", ({ request }) => request.body],
  ["authorization", ({ request }) => request.authorization],
  ["redirects", ({ request }) => request.followRedirects],
  ["end of reading", ({ request }) => request.readUntil],
  ["assertions", ({ assertions }) => assertions],
  ["checks", ({ checks, maximumResponseMilliseconds }) => [checks, maximumResponseMilliseconds]],
  ["captures", ({ captures }) => captures],
  ["rows of values", ({ data }) => data],
  ["retries", ({ retry }) => retry],
  ["wait", ({ waitUntil }) => waitUntil],
  ["time-out", ({ timeoutMilliseconds }) => timeoutMilliseconds],
  ["location", ({ locationId }) => locationId ?? undefined],
];

/** Names of the parts in which two tests differ. */
export function differencesBetween(one: TestInput, other: TestInput): string[] {
  return parts.filter(([, part]) => canonical(part(one)) !== canonical(part(other))).map(([label]) => label);
}

/** JSON with sorted members, since their order has no meaning. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
