import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import type { AnyTables } from "../../services/kit/database/database.ts";
import { createPartitions } from "../../services/test-executioner/store/partitions.ts";
import { recountExecutions, recountRuns } from "../../services/test-executioner/store/recount.ts";
import { type ExecutionTables, schemaName, table } from "../../services/test-executioner/store/tables.ts";
import { apiCount, type Organization, testsOfApi } from "./organization.ts";

/** A thousand fit in one week, so that the plots of a week show as much as those of a million. */
const getDays = (executions: number) => Math.min(90, (7 * executions) / 1_000);
/** Small enough that the work lost in an interrupted run is redone within seconds. */
const executionsOfStep = 50_000;

/** A UUIDv7 of that time, different for every seed. */
const idAt = (moment: RawBuilder<unknown>, seed: RawBuilder<unknown>) => sql`(
  lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${seed}), 1, 3)
  || '8' || substr(md5(${seed}), 4, 15))::uuid`;

/** Number of rounds that failed and were started manually, whatever the total: a full page of matches for a filter. */
const rareRounds = 25;

interface Rounds {
  organizationId: string;
  /** From 1; all rounds are spread over the days before `until`. */
  from: number;
  to: number;
  all: number;
  until: Date;
  days: number;
}

/**
 * Fills the services' own tables with this many executions, as up to ninety days of runs leave them: every round runs the
 * circle of each API, which contains all of its tests. A page shows as many rows after a million executions as after a
 * thousand; only the number of rows searched differs. Works in steps: an interrupted run resumes where it stopped.
 */
export async function fill(
  { database, organizationId }: Organization,
  executions: number,
  testCount = apiCount * testsOfApi,
): Promise<void> {
  const { kysely } = database;
  const all = executions / testCount;
  const days = getDays(executions);
  await sql`create table if not exists filled (rounds integer not null, until timestamptz not null, is_counted boolean not null)`.execute(
    kysely,
  );
  await sql`insert into filled select 0, now(), false where not exists (select from filled)`.execute(kysely);
  const { rows } = await sql<{ rounds: number; until: Date; is_counted: boolean }>`select * from filled`.execute(
    kysely,
  );
  const [{ rounds, until, is_counted: isCounted }] = rows as [(typeof rows)[0]];
  await createPartitions(kysely, until, new Date(until.getTime() - days * 86_400_000));
  const roundsOfStep = executionsOfStep / testCount;
  for (let from = rounds + 1; from <= all; from += roundsOfStep) {
    const to = Math.min(all, from + roundsOfStep - 1);
    await kysely.transaction().execute(async (transaction) => {
      await sql`set local synchronous_commit = off`.execute(transaction);
      await runRounds(transaction, { organizationId, from, to, all, until, days });
      await sql`update filled set rounds = ${to}`.execute(transaction);
    });
  }
  if (isCounted) return;
  await sql`analyze`.execute(kysely);
  const db = database.inSchema<ExecutionTables>(schemaName);
  await recountExecutions(db, organizationId, async (transaction) => {
    await sql`update public.filled set is_counted = true`.execute(transaction);
  });
  await recountRuns(db, organizationId, async () => {});
  await orderByTime(kysely);
  await sql`vacuum (analyze)`.execute(kysely);
}

/** Hours are counted in sequence, so that those of one test are stored far apart. */
async function orderByTime(kysely: Kysely<AnyTables>): Promise<void> {
  const hours = table("execution_counts");
  await kysely.transaction().execute(async (transaction) => {
    await sql`create temporary table ordered on commit drop as select * from ${hours}`.execute(transaction);
    await sql`alter table ${hours} disable trigger user`.execute(transaction);
    await sql`truncate ${hours}`.execute(transaction);
    await sql`insert into ${hours} select * from ordered order by hour, md5(subject_id::text)`.execute(transaction);
    await sql`alter table ${hours} enable trigger user`.execute(transaction);
  });
}

async function runRounds(db: Transaction<AnyTables>, rounds: Rounds): Promise<void> {
  const { organizationId, from, to, all, until, days } = rounds;
  await sql`create temporary table filling on commit drop as
    select round, ${idAt(sql`moment`, sql`test.id || ' execution ' || round`)} as id,
      ${idAt(sql`moment - interval '1 ms'`, sql`test.api_id || ' ' || round`)} as run_id, test.id as test_id,
      test.name as test_name, test.api_id, test.method, test.path,
      row_number() over (partition by round, test.api_id order by test.id)::int as position,
      moment, random() as luck, 40 * exp(0.4 * (random() + random() + random() + random() - 2))
        * (1 + ascii(right(test.path, 6)) % 7) as milliseconds,
      round % ${Math.max(1, Math.floor(all / rareRounds))}::int = 0 as is_rare
    from test_registry.tests test,
      lateral (select round, ${until}::timestamptz - (${all} - round + 1) * ${`${days} days`}::interval / (${all} + 1)
        as moment from generate_series(${from}::int, ${to}::int) as round) as rounds
    where test.organization_id = ${organizationId}::uuid`.execute(db);
  await sql`
    insert into ${table("executions")} (id, organization_id, run_id, position, test_id, test_version, test_name, api_id,
      method, path, trigger, queued_at, started_at, state, verdict, cause, reason, attempt_count, status_code,
      response_milliseconds, finished_at)
    select id, ${organizationId}::uuid, run_id, position, test_id, 1,
      test_name, api_id, method, path, case when is_rare then 'manual' else 'schedule' end, moment,
      moment + interval '10 ms', 'finished',
      case when is_rare then 'failed' when luck < 0.97 then 'passed' when luck < 0.99 then 'flaky' else 'errored' end,
      case when luck >= 0.99 and not is_rare then '{"code":"timeout","detail":"No response within 30 s."}' end,
      case when is_rare then 'Status code: expected 200, found 404.' when luck >= 0.99 then 'No response within 30 s.' end,
      case when luck between 0.97 and 0.99 then 2 else 1 end,
      case when is_rare then 404 when luck < 0.99 then 200 end, case when is_rare or luck < 0.99 then milliseconds end,
      moment + interval '1 second'
    from filling order by id`.execute(db);
  await sql`
    insert into ${table("execution_details")} (execution_id, organization_id, schema_version, attempts, verifications)
    select id, ${organizationId}::uuid, 1, '[{"number":1,"startedAt":"2026-01-01T00:00:00Z","durationMilliseconds":1,'
      '"request":null,"response":null,"phases":null,"verdict":"errored","cause":{"code":"timeout","detail":"'
      || repeat(md5(id::text), 10) || '"}}]',
      '[{"kind":"assertion","source":"statusCode","message":"' || repeat(md5(test_id::text), 4) || '"}]'
    from filling order by id`.execute(db);
  // The members of runs are counted at the end.
  await sql`
    insert into ${table("runs")} (id, organization_id, source_kind, api_id, test_circle_id, test_circle_name, trigger,
      execution_order, stop_on_failure, surroundings, state, tests, executions, unfinished, queued_at, started_at,
      finished_at)
    select run_id, ${organizationId}::uuid, 'circle', api_id, (select circle_id from test_registry.test_circle_members member
        where member.api_id = execution.api_id order by circle_id limit 1), 'A circle', case when is_rare then 'manual' else 'schedule' end,
      'parallel', false,
      json_build_object('schemaVersion', 1, 'variables', json_build_object(), 'apis', json_build_array(
        json_build_object('apiId', api_id, 'apiName', 'Shop', 'documentId', api_id, 'environment', null,
          'baseUrls', json_build_array(), 'variables', json_build_object())))::text,
      'finished', count(*), count(*), 0, moment, moment + interval '10 ms', moment + interval '1 second'
    from filling execution group by run_id, api_id, is_rare, moment order by run_id`.execute(db);
  await sql`
    insert into ${table("latest_executions")} (organization_id, test_id, api_id, run_id, execution_id, state, verdict,
      status_code, response_milliseconds, queued_at, finished_at, pending, failing_since)
    select distinct on (test_id) organization_id, test_id, api_id, run_id, id, state, verdict, status_code,
      response_milliseconds, queued_at, finished_at, 0,
      case when verdict in ('failed', 'errored', 'blocked') then finished_at end
    from ${table("executions")} where id in (select id from filling where round = ${to}) order by test_id, id desc
    on conflict (organization_id, test_id) do update set run_id = excluded.run_id,
      execution_id = excluded.execution_id, verdict = excluded.verdict, status_code = excluded.status_code,
      response_milliseconds = excluded.response_milliseconds, queued_at = excluded.queued_at,
      finished_at = excluded.finished_at, failing_since = excluded.failing_since`.execute(db);
}
