import type { OperationSummary } from "#contracts/api-registry/operations.ts";
import type { OperationCoverage } from "#contracts/test-analyzer/trends.ts";

type Covered = OperationCoverage["responses"][number];

/** The last response of an operation with one status. */
export interface LastResponse {
  status: number;
  verdict: NonNullable<Covered["verdict"]>;
  executionId: string;
  testId: string;
  finishedAt: string;
  /** Its test has run again since, with other responses. */
  superseded: boolean;
}

function covers(documented: string, status: number): boolean {
  return documented === String(status) || documented.toUpperCase() === `${Math.floor(status / 100)}XX`;
}

function covered(status: string, response: LastResponse | undefined): Covered {
  return {
    status,
    verdict: response?.verdict ?? null,
    executionId: response?.executionId ?? null,
    testId: response?.testId ?? null,
    finishedAt: response?.finishedAt ?? null,
    superseded: response?.superseded ?? false,
  };
}

function latest(responses: LastResponse[]): LastResponse | undefined {
  return responses.reduce<LastResponse | undefined>(
    (newest, response) => (newest && newest.finishedAt >= response.finishedAt ? newest : response),
    undefined,
  );
}

/**
 * Documented responses with their last verdict, then the undocumented ones. A status counts for the most specific
 * entry: 404 for `404` before `4XX` before `default`.
 */
export function coverOperation(operation: OperationSummary, responses: LastResponse[]): OperationCoverage {
  const documented = operation.responseStatuses;
  const byEntry = new Map<string, LastResponse[]>();
  const undocumented: LastResponse[] = [];
  for (const response of responses) {
    const fitting = documented.filter((status) => covers(status, response.status));
    const entry =
      fitting.find((status) => status === String(response.status)) ??
      fitting[0] ??
      documented.find((status) => status === "default");
    if (entry === undefined) undocumented.push(response);
    else byEntry.set(entry, [...(byEntry.get(entry) ?? []), response]);
  }
  return {
    operation,
    responses: documented.map((status) => covered(status, latest(byEntry.get(status) ?? []))),
    undocumented: undocumented.map((response) => covered(String(response.status), response)),
  };
}
