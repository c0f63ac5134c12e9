import type { Verification } from "../../../test-analyzer/contract/verifications.ts";
import type { Attempt } from "../../contract/attempts.ts";
import type { RunMember, RunSummary } from "../../contract/runs.ts";

/** A member of a run with all that was sent, received and judged; secrets are replaced already. */
export interface ReportedExecution extends RunMember {
  attempts: Attempt[];
  verifications: Verification[];
}

/** Text of a report, piece by piece: a run of thousands is never whole in memory. */
export type WriteReport = (run: RunSummary, executions: AsyncIterable<ReportedExecution>) => AsyncGenerator<string>;

/** "Get a book", or "Get a book, row 2" of a test with data. */
export function executionName({ testName, row }: Pick<RunMember, "testName" | "row">): string {
  return row === undefined ? testName : `${testName}, row ${row}`;
}
