import type { TestInput } from "#contracts/test-registry/tests.ts";
import { assertionTitle } from "~/features/notices/notices-words";
import { captureSourceWords } from "~/features/test-editor/assertion-words";
import { checkWords } from "~/features/test-editor/check-words";

/** One part of a test in which a proposal differs, as lines. */
export interface Difference {
  part: string;
  removed: string[];
  added: string[];
}

/** JSON with sorted members, since their order has no meaning. */
const write = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

interface Pair {
  name: string;
  value: string;
  enabled: boolean;
}
const toLine = ({ name, value, enabled }: Pair) => `${name}: ${value}${enabled ? "" : " (not sent)"}`;

function bodyLines({ body }: TestInput["request"]): string[] {
  if (body.kind === "none") return [];
  if (body.kind === "form") return body.fields.map(toLine);
  return "text" in body ? body.text.split("\n") : [write(body)];
}

function authorizationLines({ authorization }: TestInput["request"]): string[] {
  return [write(authorization)];
}

/** What a part consists of, each in a line. */
const parts: [name: string, lines: (test: TestInput) => string[]][] = [
  ["Name", ({ name }) => [name]],
  ["Operation", ({ method, path }) => [`${method.toUpperCase()} ${path}`]],
  ["Enabled", ({ enabled }) => [enabled ? "Yes" : "No"]],
  ["Tags", ({ tags }) => tags],
  ["Base URL", ({ request }) => (request.baseUrl ? [request.baseUrl] : [])],
  ["Path parameters", ({ request }) => request.pathParameters.map(toLine)],
  ["Query", ({ request }) => request.query.map(toLine)],
  ["Headers", ({ request }) => request.headers.map(toLine)],
  ["Cookies", ({ request }) => request.cookies.map(toLine)],
  ["Body", ({ request }) => bodyLines(request)],
  ["Authorization", ({ request }) => authorizationLines(request)],
  ["Redirects", ({ request }) => [request.followRedirects ? "Followed" : "Not followed"]],
  ["End of reading", ({ request }) => (request.readUntil ? [write(request.readUntil)] : [])],
  ["Assertions", ({ assertions }) => assertions.map(assertionTitle)],
  ["Checks", ({ checks }) => checks.map((name) => checkWords[name].label)],
  [
    "Longest response time",
    ({ maximumResponseMilliseconds: most }) => (most === undefined ? [] : [`${most.toLocaleString("en")} ms`]),
  ],
  [
    "Captures",
    ({ captures }) =>
      captures.map(({ source, property = "", ...rest }) =>
        `${rest.name} from ${captureSourceWords[source].label} ${property}${rest.secret ? ", secret" : ""}`.trim(),
      ),
  ],
  ["Rows of values", ({ data = [] }) => data.map(write)],
  ["Retries", ({ retry }) => [write(retry)]],
  ["Wait", ({ waitUntil }) => (waitUntil ? [write(waitUntil)] : [])],
  ["Time-out", ({ timeoutMilliseconds }) => [`${timeoutMilliseconds.toLocaleString("en")} ms`]],
];

/** The lines that only one of both has, each as often as it is there more often. */
function without(lines: string[], others: string[]): string[] {
  const remaining = [...others];
  return lines.filter((line) => {
    const index = remaining.indexOf(line);
    if (index >= 0) remaining.splice(index, 1);
    return index < 0;
  });
}

/** Compares part by part. Of a new test, every part that says something is added. */
export function describeDifferences(before: TestInput | null, after: TestInput): Difference[] {
  return parts.flatMap(([part, lines]) => {
    const [old, wanted] = [before ? lines(before) : [], lines(after)];
    const [removed, added] = [without(old, wanted), without(wanted, old)];
    // The same lines in another order: what a body or a list of assertions says may have changed.
    if (removed.length + added.length === 0 && write(old) !== write(wanted))
      return [{ part, removed: old, added: wanted }];
    return removed.length + added.length > 0 ? [{ part, removed, added }] : [];
  });
}
