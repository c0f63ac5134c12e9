import { type RawBuilder, sql } from "kysely";
import {
  countPastAvailability,
  countPastCircles,
  countPastExecutions,
} from "../../services/test-executioner/store/count-migration.ts";
import { createPartitions } from "../../services/test-executioner/store/partitions.ts";
import { recountRuns } from "../../services/test-executioner/store/recount.ts";
import { type ExecutionTables, schemaName, table } from "../../services/test-executioner/store/tables.ts";
import { apiCount, type Organization, testsOfApi } from "./organization.ts";

const days = 90;

/** A UUIDv7 of that moment, different for every seed. */
const idAt = (moment: RawBuilder<unknown>, seed: RawBuilder<unknown>) => sql`(
  lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${seed}), 1, 3)
  || '8' || substr(md5(${seed}), 4, 15))::uuid`;

/** So many rounds failed and were started by hand, among however many others: a full page of what a filter looks for. */
const rareRounds = 25;

/**
 * Fills the services' own tables with so many executions, as ninety days of runs leave them: every round runs the circle
 * of each API, which is all of its tests. A page shows as many rows after a million executions as after a thousand; only what they are found among
 * differs.
 */
export async function fill({ database, organizationId }: Organization, executions: number): Promise<void> {
  const { kysely } = database;
  const rounds = executions / (apiCount * testsOfApi);
  const now = new Date();
  const from = new Date(now.getTime() - days * 86_400_000);
  await createPartitions(kysely, now, from);
  await sql`create unlogged table filling as
    select row_number() over (order by round, test.api_id, test.id) as number, round, test.id as test_id,
      test.name as test_name, test.api_id, test.method, test.path,
      row_number() over (partition by round, test.api_id order by test.id)::int as position,
      moment, random() as luck, 40 * exp(0.4 * (random() + random() + random() + random() - 2)) * (1 + ascii(right(test.path, 6)) % 7)
        as milliseconds, ${idAt(sql`moment - interval '1 ms'`, sql`test.api_id || ' ' || round`)} as run_id,
      round % ${Math.max(1, Math.floor(rounds / rareRounds))}::int = 0 as is_rare
    from test_registry.tests test,
      lateral (select round, ${now}::timestamptz - (${rounds} - round + 1) * ${`${days} days`}::interval / (${rounds} + 1)
        as moment from generate_series(1, ${rounds}::int) as round) as rounds
    where test.organization_id = ${organizationId}::uuid`.execute(kysely);
  await sql`
    insert into ${table("executions")} (id, organization_id, run_id, position, test_id, test_version, test_name, api_id,
      method, path, trigger, queued_at, started_at, state, verdict, cause, reason, attempt_count, status_code,
      response_milliseconds, finished_at)
    select ${idAt(sql`moment`, sql`'execution ' || number`)}, ${organizationId}::uuid, run_id, position, test_id, 1,
      test_name, api_id, method, path, case when is_rare then 'manual' else 'schedule' end, moment,
      moment + interval '10 ms', 'finished',
      case when is_rare then 'failed' when luck < 0.97 then 'passed' when luck < 0.99 then 'flaky' else 'errored' end,
      case when luck >= 0.99 and not is_rare then '{"code":"timeout","detail":"No answer within 30 s."}' end,
      case when is_rare then 'Status code: expected 200, found 404.' when luck >= 0.99 then 'No answer within 30 s.' end,
      case when luck between 0.97 and 0.99 then 2 else 1 end,
      case when is_rare then 404 when luck < 0.99 then 200 end, case when is_rare or luck < 0.99 then milliseconds end,
      moment + interval '1 second'
    from filling order by number`.execute(kysely);
  await sql`
    insert into ${table("execution_details")} (execution_id, organization_id, schema_version, attempts, verifications)
    select id, organization_id, 1, '[{"number":1,"startedAt":"2026-01-01T00:00:00Z","durationMilliseconds":1,'
      '"request":null,"response":null,"phases":null,"verdict":"errored","cause":{"code":"timeout","detail":"'
      || repeat(md5(id::text), 10) || '"}}]',
      '[{"kind":"assertion","source":"statusCode","message":"' || repeat(md5(test_id::text), 4) || '"}]'
    from ${table("executions")}`.execute(kysely);
  const counted = (verdict: string) => sql`count(*) filter (where verdict = ${sql.lit(verdict)})`;
  await sql`
    insert into ${table("runs")} (id, organization_id, source_kind, api_id, test_circle_id, test_circle_name, trigger,
      execution_order, stop_on_failure, surroundings, state, verdict, tests, executions, unfinished, passed, failed, errored, flaky,
      queued_at, started_at, finished_at)
    select run_id, organization_id, 'circle', api_id, (select circle_id from test_registry.test_circle_members member
        where member.api_id = execution.api_id), 'A circle', min(trigger), 'parallel', false,
      json_build_object('schemaVersion', 1, 'variables', json_build_object(), 'apis', json_build_array(
        json_build_object('apiId', api_id, 'apiName', 'Shop', 'documentId', api_id, 'environment', null,
          'baseUrls', json_build_array(), 'variables', json_build_object())))::text,
      'finished', case when bool_or(verdict = 'errored') then 'errored' when bool_or(verdict = 'failed') then 'failed'
        else 'passed' end,
      count(*), count(*), 0, ${counted("passed")}, ${counted("failed")}, ${counted("errored")}, ${counted("flaky")},
      min(queued_at), min(started_at), max(finished_at)
    from ${table("executions")} execution group by run_id, organization_id, api_id order by run_id`.execute(kysely);
  await sql`
    insert into ${table("latest_executions")} (organization_id, test_id, api_id, run_id, execution_id, state, verdict,
      status_code, response_milliseconds, queued_at, finished_at, pending)
    select distinct on (test_id) organization_id, test_id, api_id, run_id, id, state, verdict, status_code,
      response_milliseconds, queued_at, finished_at, 0
    from ${table("executions")} order by test_id, id desc`.execute(kysely);
  await countPastExecutions(kysely);
  await countPastAvailability(kysely);
  await countPastCircles(kysely);
  await recountRuns(database.inSchema<ExecutionTables>(schemaName), organizationId, async () => {});
  await sql`drop table filling`.execute(kysely);
  await sql`vacuum (analyze)`.execute(kysely);
}
