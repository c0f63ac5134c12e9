import { type QueryExecutorProvider, sql } from "kysely";
import { prepared } from "../../kit/database/prepared.ts";
import {
  type CountedExecution,
  findUnsteady,
  groupInOrder,
  hasRun,
  inOrderOfEnds,
  type Outcomes,
} from "../domain/tally.ts";
import { table } from "./tables.ts";

type Judged = Pick<CountedExecution, "id" | "organizationId" | "testId" | "rowIndex" | "verdict" | "finishedAt">;

const dataRow = ({ rowIndex }: Judged) => (rowIndex === null ? 0 : rowIndex + 1);
const toKey = (execution: Judged) => `${execution.organizationId} ${execution.testId} ${dataRow(execution)}`;
const groupByTest = <One extends Judged>(finished: readonly One[]) =>
  groupInOrder(inOrderOfEnds(finished.filter(hasRun)), toKey);

/**
 * Locks and returns tests' outcomes so far; `addCounts` stores the new ones. Unknown tests get a row, and no outcomes.
 * The insertion locks all rows in the order of their keys, known ones too: `where false` writes none of these.
 */
export async function lockOutcomes(
  db: QueryExecutorProvider,
  finished: readonly Judged[],
): Promise<Map<string, Outcomes>> {
  const groups = groupByTest(finished);
  if (groups.length === 0) return new Map();
  const { rows } = await sql<LockedOutcomes>`${prepared("lock_known_outcomes")}
    with given as materialized (
      ${toRows(groups)}
    ), added as (
      insert into ${table("last_verdicts")} as last (organization_id, test_id, data_row, verdict)
      select * from given order by organization_id, test_id, data_row
      on conflict (organization_id, test_id, data_row) do update set verdict = last.verdict where false
      returning ${outcomeColumns}
    ), known as (
      select ${outcomeColumns} from given join ${table("last_verdicts")} last using (organization_id, test_id, data_row)
      for no key update of last
    )
    select * from added union all select * from known`.execute(db);
  const locked = new Set(rows.map(({ key }) => key));
  const missing = groups.filter(([first]) => !locked.has(toKey(first)));
  const all = missing.length === 0 ? rows : [...rows, ...(await readNewOutcomes(db, missing))];
  return new Map(all.map(({ key, ...outcomes }) => [key, outcomes]));
}

type LockedOutcomes = Outcomes & { key: string };

const outcomeColumns = sql`organization_id || ' ' || test_id || ' ' || data_row as key, last.verdict,
  last.configuration::text as configuration, coalesce(last.has_passed, false) as "hasPassed",
  coalesce(last.has_failed, false) as "hasFailed"`;

const toRows = (groups: [Judged, ...Judged[]][]) => sql`select * from unnest(
  ${groups.map(([{ organizationId }]) => organizationId)}::uuid[],
  ${groups.map(([{ testId }]) => testId)}::uuid[],
  ${groups.map(([first]) => dataRow(first))}::int[],
  ${groups.map(([{ verdict }]) => verdict)}::text[]
) as given(organization_id, test_id, data_row, verdict)`;

/** Of those, locked already, that another transaction has added since that statement's snapshot. */
async function readNewOutcomes(db: QueryExecutorProvider, groups: [Judged, ...Judged[]][]): Promise<LockedOutcomes[]> {
  const { rows } = await sql<LockedOutcomes>`
    select ${outcomeColumns} from (${toRows(groups)}) given
    join ${table("last_verdicts")} last using (organization_id, test_id, data_row)`.execute(db);
  return rows;
}

interface LastOutcomes {
  of: Judged;
  outcomes: Outcomes;
}

const isSame = (one: Outcomes, other: Outcomes | undefined) =>
  one.verdict === other?.verdict &&
  one.configuration === other.configuration &&
  one.hasPassed === other.hasPassed &&
  one.hasFailed === other.hasFailed;

/** The outcomes of tests for which they have changed. */
export function followOutcomes(finished: readonly CountedExecution[], before: ReadonlyMap<string, Outcomes>) {
  const unsteady = new Set<string>();
  const last: LastOutcomes[] = [];
  for (const group of groupByTest(finished)) {
    const followed = findUnsteady(group, before.get(toKey(group[0])) ?? null);
    for (const id of followed.unsteady) unsteady.add(id);
    const outcomes = followed.outcomes!;
    if (!isSame(outcomes, before.get(toKey(group[0])))) last.push({ of: group[0], outcomes });
  }
  return { unsteady, last };
}

export async function storeOutcomes(db: QueryExecutorProvider, last: readonly LastOutcomes[]): Promise<void> {
  if (last.length === 0) return;
  await sql`${prepared("store_outcomes")}
    update ${table("last_verdicts")} last
    set verdict = given.verdict, configuration = given.configuration, has_passed = given.has_passed,
      has_failed = given.has_failed
    from unnest(
      ${last.map(({ of }) => of.organizationId)}::uuid[],
      ${last.map(({ of }) => of.testId)}::uuid[],
      ${last.map(({ of }) => dataRow(of))}::int[],
      ${last.map(({ outcomes }) => outcomes.verdict)}::text[],
      ${last.map(({ outcomes }) => outcomes.configuration)}::uuid[],
      ${last.map(({ outcomes }) => outcomes.hasPassed)}::bool[],
      ${last.map(({ outcomes }) => outcomes.hasFailed)}::bool[]
    ) as given(organization_id, test_id, data_row, verdict, configuration, has_passed, has_failed)
    where (last.organization_id, last.test_id, last.data_row)
      = (given.organization_id, given.test_id, given.data_row)`.execute(db);
}
