import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { toDisplayName } from "#contracts/kit/display-name.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { PlannedCall } from "../plan/calls.ts";

/** The valid call without credentials, where the document requires some; undefined where it does not. */
export function makeOpenTest(
  { operation }: OperationWithComponents,
  { test }: PlannedCall,
): Pick<TestInput, "name" | "request" | "assertions" | "checks" | "captures"> | undefined {
  const { security, responses } = operation;
  if (security.length === 0 || security.some((alternative) => alternative.length === 0)) return undefined;
  const isDocumented = responses.some(({ status }) => status === "401" || status === "403");
  return {
    name: toDisplayName(
      `${operation.method.toUpperCase()} ${operation.path} refuses a request without credentials`,
      300,
    ),
    request: { ...test.request, authorization: { kind: "none" } },
    assertions: [],
    // Some servers hide what exists, and some look at the request first: any refusal will do, if it is a documented one.
    checks: ["negative_data_rejection", ...(isDocumented ? (["status_code_conformance"] as const) : [])],
    captures: [],
  };
}
