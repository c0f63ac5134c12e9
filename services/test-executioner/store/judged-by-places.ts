import { type QueryExecutorProvider, sql } from "kysely";
import type { ExecutionVerdict, Verdict } from "#contracts/test-executioner/verdicts.ts";
import { isAvailable } from "../domain/availability.ts";
import { judgeMembers } from "../domain/places/judged-members.ts";
import { groupByPlace, judgePlaces } from "../domain/places/judged-places.ts";
import type { RunPlaces } from "../domain/places/place-histories.ts";
import type { JudgedMember } from "../domain/tally.ts";
import { isFailure, verdictRanks, worstVerdict } from "../domain/verdict.ts";
import { parseCause } from "./causes.ts";
import { finishedColumns } from "./finished-runs.ts";
import { ofRun } from "./members.ts";
import type { CountedRun } from "./run-counts.ts";
import { parseSurroundings } from "./surroundings.ts";
import { table } from "./tables.ts";

interface EndedRow {
  test_id: string;
  api_id: string;
  location_id: string | null;
  verdict: ExecutionVerdict | null;
  reason: string | null;
  cause: string | null;
  status_code: number | null;
  position: number;
}

interface JudgedTest {
  testId: string;
  verdict: Verdict | null;
}

export interface JudgedRun {
  run: CountedRun;
  members: JudgedMember[];
}

/**
 * Judges runs from several places by the rule of their circle, after the last of their members has ended: each test, and
 * the run by the worst of them. Failures from fewer places are counted as regional.
 */
export async function judgeByPlaces(db: QueryExecutorProvider, runs: CountedRun[]): Promise<Map<string, JudgedRun>> {
  const judged = new Map<string, JudgedRun>();
  for (const run of runs) judged.set(run.id, await judgeOne(db, run));
  return judged;
}

async function judgeOne(db: QueryExecutorProvider, run: CountedRun): Promise<JudgedRun> {
  const { places } = parseSurroundings(run.surroundings);
  if (!places) return { run, members: [] };
  const { rows } = await sql<EndedRow>`
    select test_id, api_id, location_id, verdict, reason, cause, status_code, position from ${table("executions")}
    where ${ofRun(run.organization_id, run.id)} order by position`.execute(db);
  const byTest = groupByPlace(
    rows.map(({ test_id, location_id, verdict }) => ({ testId: test_id, placeId: location_id, verdict })),
  );
  const tests = [...byTest].map(([testId, outcomes]) => ({ testId, verdict: judgePlaces(places, outcomes) }));
  await updateJudgedTests(db, run, tests);
  const members = toJudgedMembers(run, places, rows, new Map(tests.map(({ testId, verdict }) => [testId, verdict])));
  const passed = members.filter(({ verdict }) => verdict === "passed" || verdict === "flaky").length;
  const regional = new Set(tests.flatMap(({ testId, verdict }) => (verdict === "regional" ? [testId] : [])));
  const isRegional = ({ test_id, verdict }: EndedRow) => isFailure(verdict) && regional.has(test_id);
  const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict && isRegional(row)).length;
  const reasonRow =
    rows.find((row) => isFailure(row.verdict) && !isRegional(row)) ?? rows.find((row) => isRegional(row));
  const { rows: updated } = await sql<CountedRun>`
    update ${table("runs")} run set
      verdict = ${worstVerdict(tests.map(({ verdict }) => verdict))}, regional = ${rows.filter(isRegional).length},
      failed = run.failed - ${count("failed")}::int, errored = run.errored - ${count("errored")}::int,
      blocked = run.blocked - ${count("blocked")}::int,
      judged_passed = ${passed}, judged_not_passed = ${members.length - passed},
      regional_test_ids = ${regional.size > 0 ? [...regional] : null}::uuid[],
      reason = ${reasonRow?.reason ?? null}, reason_position = ${reasonRow?.position ?? null}::int
    where run.id = ${run.id}::uuid returning ${finishedColumns}`.execute(db);
  return { run: updated[0] ?? run, members };
}

/** A partial repetition does not count for the circle. */
function toJudgedMembers(
  run: CountedRun,
  places: RunPlaces,
  rows: readonly EndedRow[],
  verdicts: ReadonlyMap<string, Verdict | null>,
): JudgedMember[] {
  const members = rows.map(({ test_id, api_id, location_id, verdict, cause, status_code, position }) => {
    const ended = verdict && { verdict, statusCode: status_code, causeCode: parseCause(cause)?.code ?? null };
    const placed = { testId: test_id, apiId: api_id, placeId: location_id, verdict, position };
    return { ...placed, isAvailable: ended ? isAvailable(ended) : undefined };
  });
  const counted = {
    organizationId: run.organization_id,
    testCircleId: run.source_kind === "circle" ? run.test_circle_id : null,
    finishedAt: run.finished_at!,
  };
  return judgeMembers(places, verdicts, members, run.series_size).map(({ member, ...outcome }) => ({
    ...{ ...counted, apiId: member.apiId, testId: member.testId },
    ...outcome,
  }));
}

/** In the order in which all transactions lock several of these rows. */
async function updateJudgedTests(
  db: QueryExecutorProvider,
  { id, organization_id: organizationId, finished_at: finishedAt }: CountedRun,
  tests: JudgedTest[],
): Promise<void> {
  const inOrder = tests
    .filter((test): test is JudgedTest & { verdict: Verdict } => test.verdict !== null)
    .sort((one, other) => (one.testId < other.testId ? -1 : 1));
  if (inOrder.length === 0) return;
  const latest = table("latest_executions");
  await sql`
    with given as (
      select * from unnest(
        ${inOrder.map(({ testId }) => testId)}::uuid[], ${inOrder.map(({ verdict }) => verdict)}::text[],
        ${inOrder.map(({ verdict }) => verdictRanks[verdict] > verdictRanks.regional)}::bool[],
        ${inOrder.map(({ verdict }) => verdict === "skipped")}::bool[]
      ) as given(test_id, verdict, has_failed, was_skipped)
    ), locked as (
      select latest.test_id from ${latest} latest join given on given.test_id = latest.test_id
      where latest.organization_id = ${organizationId}::uuid and latest.run_id = ${id}::uuid
      order by latest.organization_id, latest.test_id for update of latest
    )
    update ${latest} latest set verdict = given.verdict,
      failing_since = case when given.was_skipped then latest.failing_since
        when given.has_failed then coalesce(latest.failing_since, ${finishedAt}::timestamptz) end
    from given, locked
    where latest.organization_id = ${organizationId}::uuid and latest.test_id = given.test_id
      and locked.test_id = latest.test_id`.execute(db);
}
