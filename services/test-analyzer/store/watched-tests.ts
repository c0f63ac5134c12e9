import { type Selectable, type SqlBool, sql } from "kysely";
import { z } from "zod";
import { incidentCause } from "#contracts/test-analyzer/incidents.ts";
import { failure } from "#contracts/test-executioner/histories.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import type { DescribedTest, Incident, LastFailure, WatchedTest } from "../domain/incident/decisions.ts";
import { type AnalyzerTables, type AnalyzerTransaction, noCircle, type TestKey, table } from "./tables.ts";

type Db = Executor<AnalyzerTables>;
export type WatchedRow = Selectable<AnalyzerTables["watched_tests"]>;

export const describedTest: z.ZodType<DescribedTest> = z.object({
  testId: z.string(),
  testName: z.string(),
  method: z.string(),
  path: z.string(),
  tags: z.array(z.string()),
  apiId: z.string(),
  apiName: z.string(),
  environment: z.string(),
  testCircleId: z.string().nullable(),
  testCircleName: z.string().nullable(),
  environmentUsed: z.string().default(""),
});

export const lastFailure: z.ZodType<LastFailure> = z.object({
  runId: z.string(),
  at: z.coerce.date(),
  facts: failure,
  found: z.object({ fingerprint: z.string(), cause: incidentCause, title: z.string() }),
});

/** Equal for the same test in the same circle and environment. */
export function toKey({ testCircleId, testId, environment }: DescribedTest): string {
  return JSON.stringify([testCircleId, testId, environment]);
}

export function toTestKey(organizationId: string, test: DescribedTest): TestKey {
  return {
    organization_id: organizationId,
    test_id: test.testId,
    test_circle_id: test.testCircleId ?? noCircle,
    environment: test.environment,
  };
}

/** @param incidents the loaded ones, by id */
export function toWatchedTest(row: WatchedRow, incidents: Map<string, Incident>): WatchedTest {
  const described = describedTest.parse(row.described);
  return {
    key: toKey(described),
    described,
    judgedUpTo: row.judged_up_to,
    failures: row.failures,
    since: row.since,
    isUnsteady: row.is_unsteady,
    incident: (row.incident_id && incidents.get(row.incident_id)) || null,
    failure: row.failure === null ? null : lastFailure.parse(row.failure),
  };
}

/** The scope of a run: a circle, or APIs outside of circles. */
export interface RunScope {
  organizationId: string;
  testCircleId: string | null;
  apiIds: string[];
}

export interface AilingTests {
  /** Ids of tests that failed last or are unsteady in this scope. */
  here: string[];
  /** Ids of tests of these APIs in an open incident, wherever they fail. */
  inIncidents: string[];
}

/** The tests to look at in a run of each scope. */
export async function listAilingTests(db: Db, locations: RunScope[]): Promise<AilingTests[]> {
  const given = locations.flatMap(({ organizationId, testCircleId, apiIds }, index) =>
    (apiIds.length > 0 ? apiIds : [null]).map((apiId) => ({
      place: index,
      organizationId,
      testCircleId: testCircleId ?? noCircle,
      apiId,
    })),
  );
  const { rows } = await sql<{ place: number; test_id: string; is_here: boolean }>`
    with given as (
      select * from unnest(
        ${given.map(({ place }) => place)}::int[],
        ${given.map(({ organizationId }) => organizationId)}::uuid[],
        ${given.map(({ testCircleId }) => testCircleId)}::uuid[],
        ${given.map(({ apiId }) => apiId)}::uuid[]
      ) as given(place, organization_id, test_circle_id, api_id)
    )
    select given.place, watched.test_id, true as is_here
    from (select distinct place, organization_id, test_circle_id,
        case when test_circle_id = ${noCircle}::uuid then api_id end as api_id from given) given
    join ${table("watched_tests")} watched
      on watched.organization_id = given.organization_id and watched.test_circle_id = given.test_circle_id
        and (given.api_id is null or watched.api_id = given.api_id)
    where watched.failures > 0 or watched.is_unsteady
    union all
    select given.place, watched.test_id, false from given
    join ${table("watched_tests")} watched
      on watched.organization_id = given.organization_id and watched.api_id = given.api_id
    where watched.incident_id is not null`.execute(db);
  const ailing = locations.map(() => ({ here: new Set<string>(), inIncidents: new Set<string>() }));
  for (const { place, test_id, is_here } of rows) ailing[place]![is_here ? "here" : "inIncidents"].add(test_id);
  return ailing.map(({ here, inIncidents }) => ({ here: [...here], inIncidents: [...inIncidents] }));
}

export async function findWatchedTests(
  db: Db,
  organizationId: string,
  location: { testCircleId: string | null; testIds: string[] },
): Promise<WatchedRow[]> {
  return await db
    .selectFrom("watched_tests")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("test_circle_id", "=", location.testCircleId ?? noCircle)
    .where(sql<SqlBool>`test_id = any(${location.testIds}::uuid[])`)
    .execute();
}

/** Organizations with a failure that becomes an incident after some time. */
export async function listOrganizationsWithAges(db: Db): Promise<{ organization_id: string }[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from ${table("watched_tests")} test
    where incident_id is null and failures > 0 and exists (
      select from ${table("alert_rules")} rule
      where rule.organization_id = test.organization_id and rule.policy ? 'afterMinutes')`.execute(db);
  return rows;
}

/** Failing tests without an incident. */
export async function listPendingTests(db: Db, organizationId: string): Promise<WatchedRow[]> {
  return await db
    .selectFrom("watched_tests")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("incident_id", "is", null)
    .where("failures", ">", 0)
    .execute();
}

/** Deletes the watched tests of a deleted test, API or circle. */
export async function takeWatchedTests(
  transaction: AnalyzerTransaction,
  organizationId: string,
  deleted: { testIds: string[] } | { apiId: string } | { testCircleId: string },
): Promise<WatchedRow[]> {
  let removal = transaction.deleteFrom("watched_tests").where("organization_id", "=", organizationId);
  if ("testIds" in deleted) removal = removal.where(sql<SqlBool>`test_id = any(${deleted.testIds}::uuid[])`);
  else if ("apiId" in deleted) removal = removal.where("api_id", "=", deleted.apiId);
  else removal = removal.where("test_circle_id", "=", deleted.testCircleId);
  return await removal.returningAll().execute();
}

const rowsAtOnce = 500;

export async function storeWatchedTests(
  transaction: AnalyzerTransaction,
  organizationId: string,
  tests: readonly WatchedTest[],
  now: Date,
): Promise<void> {
  for (let from = 0; from < tests.length; from += rowsAtOnce) {
    const rows = tests.slice(from, from + rowsAtOnce).map((test) => ({
      ...toTestKey(organizationId, test.described),
      api_id: test.described.apiId,
      described: json(test.described),
      judged_up_to: test.judgedUpTo,
      failures: test.failures,
      since: test.since,
      is_unsteady: test.isUnsteady,
      incident_id: test.incident?.id ?? null,
      failure: test.failure && json(test.failure),
      updated_at: now,
    }));
    await transaction
      .insertInto("watched_tests")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["organization_id", "test_circle_id", "test_id", "environment"]).doUpdateSet((row) => ({
          api_id: row.ref("excluded.api_id"),
          described: row.ref("excluded.described"),
          judged_up_to: row.ref("excluded.judged_up_to"),
          failures: row.ref("excluded.failures"),
          since: row.ref("excluded.since"),
          is_unsteady: row.ref("excluded.is_unsteady"),
          incident_id: row.ref("excluded.incident_id"),
          failure: row.ref("excluded.failure"),
          updated_at: row.ref("excluded.updated_at"),
        })),
      )
      .execute();
  }
}

/** Resolving manually resets the tests: later failures are counted from zero. */
export async function releaseTests(transaction: AnalyzerTransaction, incidentId: string, now: Date): Promise<void> {
  await sql`
    update ${table("incident_tests")} set state = 'left'
    where incident_id = ${incidentId}::uuid and state = 'failing'`.execute(transaction);
  await sql`
    update ${table("watched_tests")}
    set incident_id = null, failures = 0, since = null, is_unsteady = false, failure = null, updated_at = ${now}
    where incident_id = ${incidentId}::uuid`.execute(transaction);
}

/**
 * Deletes tests without an incident and without news since then.
 * @returns the number of deleted rows
 */
export async function forgetWellTests(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const location = sql`organization_id, test_circle_id, test_id, environment`;
  const { numAffectedRows = 0n } = await sql`
    delete from ${table("watched_tests")} where (${location}) in (
      select ${location} from ${table("watched_tests")}
      where incident_id is null and updated_at < ${before}::timestamptz limit ${limit})`.execute(db);
  return Number(numAffectedRows);
}
