import { type RawBuilder, sql } from "kysely";
import { executionVerdicts } from "#contracts/test-executioner/verdicts.ts";
import { portalName } from "../domain/places/place-subjects.ts";
import { failureVerdicts, verdictRanking } from "../domain/verdict.ts";
import { countersOfHours } from "./counts.ts";
import { circleOfRun, isThere } from "./ended-columns.ts";
import { table } from "./tables.ts";

const ranking = sql`array[${sql.join(verdictRanking.map((verdict) => sql.lit(verdict)))}]`;
const failures = sql`(${sql.join(failureVerdicts.map((verdict) => sql.lit(verdict)))})`;

const countedVerdict = sql`case when not has_failed and verdict in ${failures} then 'passed' else verdict end`;
const worst = sql`(${ranking})[max(array_position(${ranking}, ${countedVerdict}))]`;

/** Same definition as `isReached`. */
const isReached = (failing: RawBuilder<unknown>, answered: RawBuilder<unknown>) => sql`${failing} > 0 and case rule
  when 'all' then ${failing} = ${answered} and ${answered} > 1
  when 'atLeast' then ${failing} >= minimum else true end`;

const sums: Record<string, RawBuilder<unknown>> = {
  ...Object.fromEntries(
    executionVerdicts.map((verdict) => [verdict, sql`count(*) filter (where verdict = ${sql.lit(verdict)})`]),
  ),
  response_times: sql`0::numeric`,
  unsteady: sql`count(*) filter (where verdict = 'flaky')`,
  available: sql`count(*) filter (where is_available)`,
  unavailable: sql`count(*) filter (where not is_available)`,
};

/**
 * By subject and hour: members of ended runs from several places, each counted once; the same as `judgeMembers`.
 * @param ofSubjects subjects of a row, as `subject_id`
 */
export function sumJudged(organizationId: string | undefined, ofSubjects: RawBuilder<unknown>): RawBuilder<unknown> {
  const ofOrganization =
    organizationId === undefined ? sql`` : sql`and execution.organization_id = ${organizationId}::uuid`;
  const sent = sql`
    select execution.organization_id, execution.run_id, execution.api_id, execution.test_id,
      ${circleOfRun} as test_circle_id, run.ended_at, execution.verdict, ${isThere} as is_there,
      coalesce(execution.location_id::text, ${sql.lit(portalName)}) as place,
      (execution.position - 1) % run.series_size as member, run.rule, run.minimum
    from (
      select id, source_kind, test_circle_id, series_size, finished_at as ended_at,
        surroundings::jsonb -> 'places' ->> 'rule' as rule,
        coalesce((surroundings::jsonb -> 'places' ->> 'minimum')::int, 1) as minimum
      from ${table("runs")} where series_size is not null and finished_at is not null
    ) run join ${table("executions")} execution on execution.run_id = run.id
    where true ${ofOrganization}`;
  const failing = sql`count(*) filter (where is_failing)`;
  const answered = sql`count(*) filter (where is_answered)`;
  const without = sql`count(distinct place) filter (where not is_there)`;
  const requested = sql`count(distinct place) filter (where is_there is not null)`;
  return sql`
    select organization_id, subject_id, date_trunc('hour', ended_at, 'UTC') as hour,
      ${sql.join(countersOfHours.map((name) => sql`${sums[name]!} as ${sql.id(name)}`))}
    from (
      select organization_id, api_id, test_id, test_circle_id, ended_at,
        ${worst} as verdict,
        case when ${requested} > 0 then not (${isReached(without, requested)}) end as is_available
      from (
        select sent.*, of_test.has_failed from (${sent}) sent join (
          select run_id, test_id, ${isReached(failing, answered)} as has_failed from (
            select run_id, test_id, place, rule, minimum, bool_or(verdict in ${failures}) as is_failing,
              bool_or(verdict <> 'skipped') as is_answered
            from (${sent}) sent group by 1, 2, 3, 4, 5
          ) as of_place group by run_id, test_id, rule, minimum
        ) as of_test on of_test.run_id = sent.run_id and of_test.test_id = sent.test_id
      ) as execution
      group by organization_id, api_id, test_id, test_circle_id, ended_at, run_id, member, rule, minimum, has_failed
      having count(verdict) > 0
    ) as judged, ${ofSubjects}
    group by 1, 2, 3`;
}
