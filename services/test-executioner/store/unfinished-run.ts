import { type RawBuilder, type SqlBool, sql, type Transaction } from "kysely";
import type { RunSource } from "#contracts/test-executioner/runs.ts";
import type { Executor } from "../../kit/database/database.ts";
import { listTestIds } from "./members.ts";
import type { NewRun } from "./runs.ts";
import { matchSource, recentRuns } from "./same-source.ts";
import { parseSurroundings, type RunSurroundings } from "./surroundings.ts";
import { type ExecutionTables, table } from "./tables.ts";

/** Lock key by which requests for runs of the same source take turns. */
function getTurn(organizationId: string, source: RunSource & { testIds?: string[] }): string {
  // Names may change.
  const { testName, testCircleName, circle, ...asked } = { testName: "", testCircleName: "", circle: null, ...source };
  return JSON.stringify([organizationId, asked]);
}

/**
 * A run of the same source, against the same environments, that is running and not cancelled. Requests for the same
 * take turns until their transactions end, so that the second of two concurrent starts finds the run of the first.
 */
export async function findUnfinishedRun(
  transaction: Transaction<ExecutionTables>,
  { organizationId, source, surroundings: given, executions }: NewRun,
): Promise<string | undefined> {
  const testIds = [...new Set(executions.map(({ test }) => test.id))].sort();
  const match = source.kind === "tests" ? matchSelection(testIds) : matchSource(source);
  if (!match) return undefined;
  const turn = getTurn(organizationId, source.kind === "tests" ? { ...source, testIds } : source);
  await sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`.execute(transaction);
  const { rows } = await sql<{ id: string; surroundings: string }>`
    select id, surroundings from (
      select * from ${table("runs")} where organization_id = ${organizationId}::uuid and ${match.among}
      order by id desc limit ${recentRuns}
    ) recent
    where finished_at is null and not is_cancelled and ${match.is} order by id desc`.execute(transaction);
  const same = rows.filter(({ surroundings }) => goesToSamePlaces(parseSurroundings(surroundings), given));
  if (source.kind !== "tests") return same[0]?.id;
  for (const { id: runId } of same) {
    if ((await listTestIds(transaction, { organizationId, runId })).join() === testIds.join()) return runId;
  }
  return undefined;
}

/** Selections of this many tests; their members identify the tests. */
const matchSelection = (testIds: string[]) => ({
  among: sql`true`,
  is: sql`source_kind = 'tests' and tests = ${testIds.length}::int`,
});

/**
 * The same environments, from where the calls chose. Runs of a circle that selects by tag may have different APIs.
 */
function goesToSamePlaces(one: RunSurroundings, other: RunSurroundings): boolean {
  if (one.chosenLocation !== other.chosenLocation) return false;
  const environments = new Map(one.apis.map(({ apiId, environment }) => [apiId, environment]));
  return other.apis.every(
    ({ apiId, environment }) => !environments.has(apiId) || environments.get(apiId) === environment,
  );
}

/** A circle of an organization. */
export interface OwnedCircle {
  organizationId: string;
  testCircleId: string;
}

/** Circles with a running run, whole or repeated in part; takes the same turns as above for all of them. */
export async function holdBusyCircles(
  transaction: Transaction<ExecutionTables>,
  circles: OwnedCircle[],
): Promise<Set<string>> {
  const turns = circles.map(({ organizationId, testCircleId }) =>
    getTurn(organizationId, { kind: "circle", testCircleId, testCircleName: "" }),
  );
  await sql`select pg_advisory_xact_lock(hashtextextended(turn, 0))
    from (select distinct turn from unnest(${turns}::text[]) as given(turn) order by turn) in_order`.execute(
    transaction,
  );
  return await listBusyCircles(transaction, circles);
}

/** Whether a circle has a running run, other than one that an agent ran before; arguments are columns that identify the circle and its organization. */
export const isBusy = (organizationId: RawBuilder<unknown>, testCircleId: RawBuilder<unknown>) => sql<SqlBool>`exists (
  select from (
    select finished_at, late_agent_id from ${table("runs")} run
    where run.organization_id = ${organizationId} and run.test_circle_id = ${testCircleId}
    order by id desc limit ${recentRuns}
  ) recent
  where finished_at is null and late_agent_id is null
)`;

/** The same without waiting for a turn: the result may be outdated at once. */
async function listBusyCircles(db: Executor<ExecutionTables>, circles: OwnedCircle[]): Promise<Set<string>> {
  const { rows } = await sql<{ circle_id: string }>`
    select distinct circle_id from unnest(
      ${circles.map(({ organizationId }) => organizationId)}::uuid[],
      ${circles.map(({ testCircleId }) => testCircleId)}::uuid[]
    ) as given(organization_id, circle_id)
    where ${isBusy(sql`given.organization_id`, sql`given.circle_id`)}`.execute(db);
  return new Set(rows.map((row) => row.circle_id));
}
