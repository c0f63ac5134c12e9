import type { ProposalFindings } from "#contracts/test-registry/test-proposals.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { findDetails } from "../store/details.ts";
import { readAttempts } from "../store/looked-at-runs.ts";
import { listPassed } from "../store/passed-executions.ts";
import { findApi } from "../store/same-before.ts";
import { loadSnapshots, parseSnapshot } from "../store/snapshots.ts";
import { earlier, type MeasureParts } from "./measure-notices.ts";
import type { StoredNotices } from "./stored-notices.ts";

interface Proposed {
  organizationId: string;
  apiId: string;
  test: TestInput;
  /** Whose recorded response may serve, the best first. */
  testIds: readonly string[];
}

/** Names at most so many missed changes. */
const maxMissed = 20;

/** What a proposed test would notice in the recorded response of another test of its operation. */
export async function judgeProposedTest(parts: MeasureParts, proposed: Proposed): Promise<ProposalFindings> {
  let state: ProposalFindings["state"] = "no_response";
  for (const testId of proposed.testIds) {
    const found = await measure(parts, proposed, testId);
    if (found?.state === "found") return toFindings(found);
    if (found && found.state !== "not_stored") state = "not_judged";
  }
  return { state, changes: 0, noticed: 0, setAside: 0, missed: [] };
}

function toFindings({ noticedChanges, missedChanges, setAside }: StoredNotices): ProposalFindings {
  const [noticed, missed] = [noticedChanges.length, missedChanges.length];
  const phrases = missedChanges.slice(0, maxMissed).map(({ phrase }) => phrase);
  return { state: "found", changes: noticed + missed, noticed, setAside, missed: phrases };
}

/** @returns undefined if that test has no passed execution that could serve */
async function measure(
  { db, log, thread, findOperation }: MeasureParts,
  { organizationId, apiId, test }: Proposed,
  testId: string,
): Promise<StoredNotices | undefined> {
  const [last, ...before] = await listPassed(db, organizationId, testId, earlier.executions + 1);
  if (last?.api_id !== apiId || last.path !== test.path || last.method !== test.method) return undefined;
  const details = await findDetails(db, organizationId, last.id);
  const [snapshot] = await loadSnapshots(db, [{ testId, version: last.test_version }]);
  if (!details || !snapshot) return undefined;
  const ids = before.filter((one) => one.row_index === last.row_index).map(({ id }) => id);
  const texts = await readAttempts(db, organizationId, ids, earlier.bytes);
  const documentId = findApi(last.surroundings, apiId)?.documentId ?? "";
  const { method, path } = last;
  const operation = await findOperation({ organizationId, apiId, documentId, method, path });
  const executed = parseSnapshot(snapshot.text);
  const stored = { ...details, executed, current: undefined, proposed: test, operation };
  try {
    return await thread.measure({ ...stored, earlier: ids.flatMap((id) => texts.get(id) ?? []) });
  } catch (error) {
    log.error({ err: error, testId, executionId: last.id }, "a proposed test could not be judged");
    return undefined;
  }
}
