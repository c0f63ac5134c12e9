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
}

function covers(documented: string, status: number): boolean {
  return documented === String(status) || documented.toUpperCase() === `${Math.floor(status / 100)}XX`;
}

function covered(status: string, answer: LastResponse | undefined): Covered {
  return {
    status,
    verdict: answer?.verdict ?? null,
    executionId: answer?.executionId ?? null,
    testId: answer?.testId ?? null,
    finishedAt: answer?.finishedAt ?? null,
  };
}

function latest(answers: LastResponse[]): LastResponse | undefined {
  return answers.reduce<LastResponse | undefined>(
    (newest, answer) => (newest && newest.finishedAt >= answer.finishedAt ? newest : answer),
    undefined,
  );
}

/**
 * Documented responses with their last verdict, then the undocumented ones. A status counts for the most specific
 * entry: 404 for `404` before `4XX` before `default`.
 */
export function coverOperation(operation: OperationSummary, answers: LastResponse[]): OperationCoverage {
  const documented = operation.responseStatuses;
  const byEntry = new Map<string, LastResponse[]>();
  const undocumented: LastResponse[] = [];
  for (const answer of answers) {
    const fitting = documented.filter((status) => covers(status, answer.status));
    const entry =
      fitting.find((status) => status === String(answer.status)) ??
      fitting[0] ??
      documented.find((status) => status === "default");
    if (entry === undefined) undocumented.push(answer);
    else byEntry.set(entry, [...(byEntry.get(entry) ?? []), answer]);
  }
  return {
    operation,
    responses: documented.map((status) => covered(status, latest(byEntry.get(status) ?? []))),
    undocumented: undocumented.map((answer) => covered(String(answer.status), answer)),
  };
}
