import type { Assertion, CheckName } from "#contracts/test-registry/assertions.ts";
import type { TestRequest } from "#contracts/test-registry/requests.ts";

/** Checks that do not need the document. */
const standalone: ReadonlySet<CheckName> = new Set(["not_a_server_error", "max_response_time"]);

/** Serialized the same in a query, whatever style the document defines. */
const plainValue = /^[\w.~-]*$/;

/** The same in the styles `form` and `cookie`, exploded or not. */
const plainCookie = /^[^\s"%,;\\[{\x7f-\uffff]*$/;

/**
 * Whether the documented operation is needed to build or judge a request. Most tests of a large run need none, and
 * loading it would cost more than the request.
 */
export function needsOperation(test: {
  path: string;
  request: TestRequest;
  assertions?: Assertion[];
  checks?: CheckName[];
  /** Whether the API has operations with servers of their own; unknown if absent. */
  hasOwnServers: boolean | undefined;
}): boolean {
  const { request } = test;
  return (
    (test.hasOwnServers !== false && !request.baseUrl?.trim()) ||
    test.path.includes("{") ||
    request.query.some(({ value, enabled }) => enabled && !plainValue.test(value)) ||
    request.headers.some(({ value, enabled }) => enabled && /[[{]/.test(value)) ||
    request.cookies.some(({ value, enabled }) => enabled && !plainCookie.test(value)) ||
    request.authorization.kind === "credentials" ||
    (test.checks ?? []).some((check) => !standalone.has(check)) ||
    (test.assertions ?? []).some(
      ({ source, comparison, target }) =>
        source === "schema" || (comparison === "matchesSchema" && target === undefined),
    )
  );
}
