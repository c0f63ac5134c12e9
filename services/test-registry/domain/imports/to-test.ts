import type { FieldError } from "#contracts/kit/problem.ts";
import type { CheckName } from "#contracts/test-registry/assertions.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { CollectedAssertion, CollectedRequest } from "#libraries/collections/collection.ts";
import { findTestErrors } from "../test-rules.ts";
import type { Found } from "./find-operation.ts";
import type { RequestSecrets } from "./secrets.ts";

type Body = TestInput["request"]["body"];

/** Reads a test as it would be sent: with its defaults, or errors by field. */
export type ParseTest = (raw: unknown) => TestInput | FieldError[];

/** What a request becomes, and what of it a test can't have. */
export interface MadeTest {
  test: TestInput | undefined;
  losses: { what: string; reason: string }[];
}

const toChecks = (request: CollectedRequest, isMatched: boolean): CheckName[] => {
  if (request.assertions.length > 0) return [];
  return isMatched ? ["not_a_server_error", "status_code_conformance"] : ["not_a_server_error"];
};

/** The runner's own, which no test may set. */
const framing =
  /^(host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|expect|te|trailer|http2-settings)$/i;

/** The test of a request. What the rules of tests refuse is left out of it, with the reason. */
export function toTest(
  request: CollectedRequest,
  parts: { found: Found; secrets: RequestSecrets; body: Body; name: string; toApi: boolean; parseTest: ParseTest },
): MadeTest {
  const { found, secrets, body, name, toApi } = parts;
  const losses: MadeTest["losses"] = [];
  const headers = secrets.headers.filter((row) => !framing.test(row.name) && row.name.trim() !== "");
  const raw = {
    ...{
      name,
      method: found.operation?.method ?? request.method,
      path: found.path,
      enabled: request.enabled,
      tags: [],
    },
    request: {
      ...(found.baseUrl && !toApi ? { baseUrl: found.baseUrl } : {}),
      pathParameters: found.pathParameters,
      query: secrets.query.filter((row) => row.name.trim() !== ""),
      ...{ headers, cookies: secrets.cookies.filter((row) => row.name.trim() !== ""), body },
      authorization: { kind: secrets.authorization === "none" ? ("none" as const) : ("inherit" as const) },
      followRedirects: request.followRedirects ?? true,
    },
    assertions: uniqueAssertions(request.assertions),
    checks: toChecks(request, found.operation !== undefined),
    captures: lastOfName(request.captures).map(({ secret, ...one }) => (secret ? { ...one, secret } : one)),
    ...(request.timeoutMilliseconds === undefined
      ? {}
      : { timeoutMilliseconds: Math.min(120_000, Math.max(100, Math.round(request.timeoutMilliseconds))) }),
    ...(request.retries
      ? { retry: { attempts: Math.min(10, request.retries + 1), backoff: "fixed", delayMilliseconds: 1_000 } }
      : {}),
  };
  return { test: repair(raw, losses, parts.parseTest), losses };
}

const uniqueAssertions = (assertions: readonly CollectedAssertion[]) => {
  const seen = new Map(assertions.map((one) => [JSON.stringify(one), one]));
  return [...seen.values()];
};

/** A script may set a variable several times: the last value counts. */
const lastOfName = (captures: CollectedRequest["captures"]) => [
  ...new Map(captures.map((one) => [one.name, one])).values(),
];

type Raw = Record<string, unknown> & { assertions: unknown[]; captures: unknown[]; request: Record<string, unknown> };

/** Lists of which single entries can be left out. */
const removable = /^(assertions|captures|request\.(?:headers|query|cookies|body\.fields|body\.parts))\[(\d+)\]/;
const nouns: Record<string, string> = {
  assertions: "assertion",
  captures: "capture",
  "request.headers": "header",
  "request.query": "query parameter",
  "request.cookies": "cookie",
  "request.body.fields": "form field",
  "request.body.parts": "part of the body",
};
/** Each round leaves out at least one entry. */
const maxRounds = 50;

/** Leaves out what the rules refuse; undefined where the test can't be without it. */
function repair(raw: Raw, losses: MadeTest["losses"], parseTest: ParseTest): TestInput | undefined {
  for (let round = 0; round < maxRounds; round += 1) {
    const errors = findErrors(raw, parseTest);
    if (!Array.isArray(errors)) return errors;
    const entries = errors.flatMap(({ path, message }) => {
      const [, list, index] = removable.exec(path) ?? [];
      return list ? [{ list, index: Number(index), message }] : [];
    });
    if (entries.length === 0) {
      const isOnlyIdle = errors.every(
        ({ path }) =>
          path === "enabled" || path === "request.pathParameters" || path.startsWith("request.pathParameters["),
      );
      const [first] = errors;
      losses.push({ what: "request", reason: `${first!.path}: ${first!.message}.` });
      if (!isOnlyIdle || raw.enabled === false) return undefined;
      raw.enabled = false;
      losses.at(-1)!.reason += " The test is disabled until it is corrected.";
      continue;
    }
    const done = new Set<string>();
    for (const { list, index, message } of entries.sort((one, other) => other.index - one.index)) {
      if (done.has(`${list}[${index}]`)) continue;
      done.add(`${list}[${index}]`);
      const values = list
        .split(".")
        .reduce<unknown>((of, key) => (of as Record<string, unknown>)[key], raw) as unknown[];
      const [removed] = values.splice(index, 1);
      losses.push({ what: describe(nouns[list]!, removed), reason: `${message}.` });
    }
    if (raw.assertions.length === 0 && (raw.checks as unknown[]).length === 0) raw.checks = ["not_a_server_error"];
  }
  losses.push({ what: "request", reason: "Too much of it can't be said by a test." });
  return undefined;
}

function describe(noun: string, value: unknown): string {
  const { name, source, property, comparison } = value as Record<string, unknown>;
  const said = [name ?? source, property, comparison].filter((part) => part !== undefined).join(" ");
  return `${noun} ${said}`.slice(0, 200);
}

/** The test, or its errors. */
function findErrors(raw: Raw, parseTest: ParseTest): TestInput | FieldError[] {
  const parsed = parseTest(raw);
  if (Array.isArray(parsed)) return parsed;
  const errors = findTestErrors(parsed);
  return errors.length === 0 ? parsed : errors;
}
