import type { Logger } from "pino";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { findDetails } from "../store/details.ts";
import { readAttempts } from "../store/looked-at-runs.ts";
import { enoughCompared, listPassed, type PassedExecution } from "../store/passed-executions.ts";
import { findApi } from "../store/same-before.ts";
import { loadSnapshots, parseSnapshot } from "../store/snapshots.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { findNoticesRow, type NoticesRow, noFindings, storeNotices, writeFindings } from "../store/test-notices.ts";
import type { MeasuringThread } from "./measuring-thread.ts";
import type { FindOperation } from "./operation-lookup.ts";
import type { StoredNotices } from "./stored-notices.ts";

export interface MeasureParts {
  db: ExecutionDatabase;
  clock: Clock;
  log: Logger;
  thread: MeasuringThread;
  findOperation: FindOperation;
}

/** Earlier executions that may tell what varies, and their bytes. */
export const earlier = { executions: 5, bytes: 4 * 1_024 * 1_024 };

/** A test of an organization; its current version where it is known. */
export interface MeasuredTest {
  organizationId: string;
  testId: string;
  current?: Test;
}

/**
 * What a test would notice, from its last passed execution: as stored if that is up to date, otherwise measured now.
 * @returns undefined if the test has not passed, or no longer has a snapshot of that execution
 */
export async function measureNotices(parts: MeasureParts, test: MeasuredTest): Promise<NoticesRow | undefined> {
  const { db, clock, log, thread, findOperation } = parts;
  const { organizationId, testId, current } = test;
  const [passed, known] = [
    await listPassed(db, organizationId, testId, earlier.executions + 1),
    await findNoticesRow(db, organizationId, testId),
  ];
  const [last, ...before] = passed;
  if (!last) return undefined;
  const { id: executionId, api_id: apiId, method, path } = last;
  const documentId = findApi(last.surroundings, apiId)?.documentId ?? "";
  if (known && isUpToDate(known, last, documentId, current)) return known;
  const details = await findDetails(db, organizationId, executionId);
  const [snapshot] = await loadSnapshots(db, [{ testId, version: last.test_version }]);
  if (!snapshot) return undefined;
  const executed = parseSnapshot(snapshot.text);
  const found = details ? await measure(details) : nothing("not_stored");
  const row: NoticesRow = {
    ...{ organization_id: organizationId, test_id: testId, api_id: apiId, method, path },
    ...{ test_version: current?.version ?? last.test_version, document_id: documentId, execution_id: executionId },
    ...{ compared: found.compared, state: found.state, findings: writeFindings(found) },
    changes: found.noticedChanges.length + found.missedChanges.length,
    noticed: found.noticedChanges.length,
    found_at: clock.now(),
  };
  await storeNotices(db, row);
  return row;

  function nothing(state: StoredNotices["state"]): StoredNotices {
    return { state, testVersion: current?.version ?? last!.test_version, compared: 0, ...noFindings };
  }

  async function measure(details: { attempts: string; verifications: string }): Promise<StoredNotices> {
    const ofRow = before.filter((one) => one.row_index === last!.row_index);
    const ids = ofRow.map(({ id }) => id);
    const texts = await readAttempts(db, organizationId, ids, earlier.bytes);
    const operation = await findOperation({ organizationId, apiId, documentId, method, path });
    const stored = { ...details, executed, current, operation, earlier: ids.flatMap((id) => texts.get(id) ?? []) };
    try {
      return (await thread.measure(stored)) ?? nothing("too_costly");
    } catch (error) {
      // It would fail again, so it is not retried before the test passes again.
      log.error({ err: error, testId, executionId }, "what a test would notice could not be found");
      return nothing("not_judged");
    }
  }
}

function isUpToDate(row: NoticesRow, last: PassedExecution, documentId: string, current: Test | undefined): boolean {
  if (row.test_version < (current?.version ?? last.test_version) || row.document_id !== documentId) return false;
  return row.execution_id === last.id || row.compared >= enoughCompared;
}
