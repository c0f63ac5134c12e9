import { type RawBuilder, sql } from "kysely";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import { configuration } from "./configuration.ts";
import type { CountTables } from "./count-tables.ts";
import { countersOfHours, countersOfOperations, placeSubject } from "./counts.ts";
import { circleOfRun, isThere, placeOfRun } from "./ended-columns.ts";
import { sumJudged } from "./judged-sums.ts";
import { table } from "./tables.ts";

export interface ExecutionSum {
  name: keyof CountTables;
  keys: readonly string[];
  values: readonly string[];
  /** Rows of that table, as sums of the stored executions; columns by their names. */
  select: RawBuilder<unknown>;
}

interface SumOptions {
  /** All organizations if undefined. */
  organizationId?: string;
  /** Older steps of the schema have none. */
  knowsCircles: boolean;
}

const sums: Record<string, RawBuilder<unknown>> = {
  ...Object.fromEntries(
    executionVerdicts.map((verdict) => [verdict, sql`count(*) filter (where verdict = ${sql.lit(verdict)})`]),
  ),
  response_times: sql`sum(response_times)`,
  unsteady: sql`count(*) filter (where is_unsteady)`,
  available: sql`count(*) filter (where is_there)`,
  unavailable: sql`count(*) filter (where not is_there)`,
};
const summed = (names: readonly string[]) => sql.join(names.map((name) => sql`${sums[name]!} as ${sql.id(name)}`));

/**
 * Finished executions; buckets of response time as in domain/response-times. Executions that did not run are neither
 * steady nor unsteady.
 */
function endedExecutions({ organizationId, knowsCircles }: SumOptions): RawBuilder<unknown> {
  const circle = knowsCircles ? circleOfRun : sql`null::uuid`;
  const place = knowsCircles ? placeOfRun : sql`null::text`;
  const run = knowsCircles
    ? sql`left join (select id as of_run_id, source_kind, test_circle_id, surroundings, series_size from ${table("runs")}) run
        on run.of_run_id = execution.run_id`
    : sql``;
  const ofOrganization = organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}::uuid`;
  const executions = sql`(
    select organization_id, api_id, test_id, ${circle} as test_circle_id, ${place} as place,
      ${knowsCircles ? sql`run.series_size is not null` : sql`false`} as is_of_several, id, path, verdict, status_code, finished_at,
      ${knowsCircles ? configuration : sql`''`} as configuration, verdict in ('passed', 'flaky') as is_good,
      coalesce(row_index + 1, 0) as data_row, verdict not in ('skipped', 'blocked') as has_run, ${isThere} as is_there,
      case when lower(method) in ('get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query')
        then lower(method) else method end as method,
      case when response_milliseconds is null then 0
        else ('1' || repeat('0', 8 * case when response_milliseconds > 0.1
          then least(ceil(ln(response_milliseconds / 0.1) / ln(1.1::float8)), 164)::int else 0 end))::numeric
        end as response_times
    from ${table("executions")} execution ${run}
    where verdict is not null and finished_at is not null ${ofOrganization}
  ) as execution`;
  const ofTest = sql.raw("partition by test_id, data_row, has_run");
  const ofBlock = sql.raw("partition by test_id, data_row, has_run, block");
  const inOrder = sql.raw("order by finished_at, id");
  return sql`(
    select *, has_run and (verdict = 'flaky' or (is_changed and count(*) filter (where is_changed) over (
      ${ofBlock} ${inOrder} rows between unbounded preceding and 1 preceding) > 0)) as is_unsteady
    from (
      select *, coalesce(is_good <> lag(is_good) over (${ofBlock} ${inOrder}), false) as is_changed,
        bool_or(is_good) over (${ofBlock}) as has_passed, bool_or(not is_good) over (${ofBlock}) as has_failed
      from (
        select *, count(*) filter (where is_reconfigured) over (${ofTest} ${inOrder}) as block
        from (
          select *, configuration is distinct from lag(configuration) over (${ofTest} ${inOrder}) as is_reconfigured
          from ${executions}
        ) as compared
      ) as in_blocks
    ) as changed
  ) as ended`;
}

/** Days are the sums of their hours. */
export function sumDays(organizationId: string): ExecutionSum {
  return {
    name: "day_counts",
    keys: ["organization_id", "subject_id", "day"],
    values: countersOfHours,
    select: sql`
      select organization_id, subject_id, (hour at time zone 'UTC')::date as day,
        ${sql.join(countersOfHours.map((name) => sql`sum(${sql.id(name)}) as ${sql.id(name)}`))}
      from ${table("execution_counts")} where organization_id = ${organizationId}::uuid group by 1, 2, 3`,
  };
}

const hourly = sql.join(countersOfHours.map((name) => sql.id(name)));
const onlyTimes = sql.join(
  countersOfHours.map((name) => (name === "response_times" ? sql.id(name) : sql`0 as ${sql.id(name)}`)),
);
const ofSubjects = sql`
  unnest(array_remove(array[organization_id, api_id, test_id, test_circle_id], null)) as subject(subject_id)`;

/** Counts, recomputed from executions; `counts.ts` adds up the same one by one. */
export function sumExecutions(options: SumOptions): ExecutionSum[] {
  const ended = endedExecutions(options);
  const operationId = sql`md5(method || ' ' || path)::uuid as operation_id`;
  return [
    {
      name: "last_verdicts",
      keys: ["organization_id", "test_id", "data_row"],
      values: ["verdict", ...(options.knowsCircles ? ["configuration", "has_passed", "has_failed"] : [])],
      select: sql`
        select distinct on (organization_id, test_id, data_row) organization_id, test_id, data_row, verdict
          ${options.knowsCircles ? sql`, configuration::uuid, has_passed, has_failed` : sql``}
        from ${ended} where has_run
        order by organization_id, test_id, data_row, finished_at desc, id desc`,
    },
    {
      name: "operation_verdicts",
      keys: ["organization_id", "api_id", "operation_id", "status_code"],
      values: ["verdict", "execution_id", "test_id", "finished_at"],
      select: sql`
        select distinct on (organization_id, api_id, operation_id, status_code)
          organization_id, api_id, ${operationId}, status_code, verdict, id as execution_id, test_id, finished_at
        from ${ended} where status_code is not null
        order by organization_id, api_id, operation_id, status_code, finished_at desc, id desc`,
    },
    {
      name: "operation_counts",
      keys: ["organization_id", "day", "api_id", "operation_id"],
      values: ["method", "path", ...countersOfOperations],
      select: sql`
        select organization_id, (finished_at at time zone 'UTC')::date as day, api_id, ${operationId}, method, path,
          ${summed(countersOfOperations)}
        from ${ended} group by 1, 2, 3, method, path`,
    },
    {
      name: "execution_counts",
      keys: ["organization_id", "subject_id", "hour"],
      values: countersOfHours,
      // By test first: adding histograms takes most of the time.
      select: sql`
        with of_test as materialized (
          select organization_id, api_id, test_id, test_circle_id, place, is_of_several,
            date_trunc('hour', finished_at, 'UTC') as hour, ${summed(countersOfHours)}
          from ${ended} group by 1, 2, 3, 4, 5, 6, 7
        )
        select organization_id, subject_id, hour,
          ${sql.join(countersOfHours.map((name) => sql`sum(${sql.id(name)}) as ${sql.id(name)}`))}
        from (
          select organization_id, subject_id, hour, ${hourly} from of_test, ${ofSubjects} where not is_of_several
          union all
          select organization_id, subject_id, hour, ${onlyTimes} from of_test, ${ofSubjects}
          where is_of_several and response_times > 0
          union all
          select organization_id, subject_id, hour, ${hourly} from of_test,
            unnest(array[${placeSubject("test_id", "place")},
              case when test_circle_id is not null then ${placeSubject("test_circle_id", "place")} end]) subject(subject_id)
          where place is not null and subject_id is not null
          ${options.knowsCircles ? sql`union all ${sumJudged(options.organizationId, ofSubjects)}` : sql``}
        ) as of_subject
        group by 1, 2, 3`,
    },
  ];
}
