import type { ReportedExecution } from "../domain/report/reported-run.ts";
import { loadDetails, parseAttempts, parseVerifications } from "./details.ts";
import { listMembers, toMember } from "./members.ts";
import { findPlaceNames } from "./place-names.ts";
import type { ExecutionDatabase, RunRow } from "./tables.ts";

/** Bodies have a megabyte at most, so a report has this many executions in memory. */
const executionsAtOnce = 20;

/** All members of a run in their order, with their stored details, a few at a time; or the one at a position. */
export async function* readReportedExecutions(
  db: ExecutionDatabase,
  run: { organizationId: string; runId: string },
  ofRun: Pick<RunRow, "regional_test_ids" | "series_size">,
  position?: number,
): AsyncGenerator<ReportedExecution> {
  let after = position === undefined ? 0 : position - 1;
  for (;;) {
    const rows = await listMembers(db, run, { after, limit: position === undefined ? executionsAtOnce : 1 });
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const byId = await loadDetails(db, run.organizationId, ids);
    const namesOf = await findPlaceNames(db, run.organizationId, rows);
    for (const row of rows) {
      const stored = byId.get(row.id);
      yield {
        ...toMember(row, ofRun),
        ...namesOf(row),
        ...(ofRun.series_size === null ? {} : { place: namesOf(row).location ?? "the portal" }),
        attempts: stored ? parseAttempts(stored) : [],
        verifications: stored ? parseVerifications(stored) : [],
      };
    }
    if (position !== undefined) return;
    after = rows.at(-1)!.position;
  }
}
