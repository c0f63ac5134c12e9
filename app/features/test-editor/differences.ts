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
  ["assertions", ({ assertions }) => assertions],
  ["checks", ({ checks, maximumResponseMilliseconds }) => [checks, maximumResponseMilliseconds]],
  ["captures", ({ captures }) => captures],
  ["rows of values", ({ data }) => data],
  ["retries", ({ retry }) => retry],
  ["time-out", ({ timeoutMilliseconds }) => timeoutMilliseconds],
];

/** The parts in which two tests differ, in words. */
export function differencesBetween(one: TestInput, other: TestInput): string[] {
  return parts.filter(([, part]) => canonical(part(one)) !== canonical(part(other))).map(([label]) => label);
}

/** JSON with the members of objects in one order, since that order means nothing. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
