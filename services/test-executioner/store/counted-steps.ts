import { type RawBuilder, sql } from "kysely";
import { countByDays, type WholeDays } from "../domain/whole-days.ts";
import { countersOfHours } from "./counts.ts";
import { table } from "./tables.ts";

export interface CountedSteps {
  organizationId: string;
  subjectIds: readonly string[];
  /** Starts of the steps, in order; each ends where the next begins. */
  starts: readonly string[];
  until: string;
}

const counters = sql.join(countersOfHours.map((name) => sql.id(name)));
const sums = sql.join(countersOfHours.map((name) => sql`sum(${sql.id(name)}) as ${sql.id(name)}`));
const signed = sql.join(countersOfHours.map((name) => sql`change.sign * ${sql.id(name)}`));

/**
 * Counts with their subject and step, from 1, as rows to add up. An hour belongs to the step it begins in. Long steps
 * are counted by days: a quarter of a year of one subject is 90 rows and the hours by which the zone's midnights are
 * off, rather than 2,160.
 */
export function countedSteps(scope: CountedSteps): RawBuilder<unknown> {
  const bounds = [...scope.starts, scope.until].map((bound) => new Date(bound));
  const days = countByDays(bounds);
  return days ? stepsByDays(scope, days) : stepsByHours(scope);
}

const ofSubjects = ({ organizationId, subjectIds }: CountedSteps) =>
  sql`organization_id = ${organizationId}::uuid and subject_id = any(${subjectIds}::uuid[])`;

function stepsByHours(scope: CountedSteps): RawBuilder<unknown> {
  return sql`
    select subject_id, width_bucket(hour, ${scope.starts}::timestamptz[]) as step, ${counters}
    from ${table("execution_counts")}
    where ${ofSubjects(scope)} and hour >= ${scope.starts[0]!}::timestamptz and hour < ${scope.until}::timestamptz`;
}

function stepsByDays(scope: CountedSteps, { midnights, gaps }: WholeDays): RawBuilder<unknown> {
  const days = midnights.map((midnight) => midnight.toISOString());
  return sql`
    select subject_id, width_bucket(day, ${days}::date[]) as step, ${counters}
    from ${table("day_counts")}
    where ${ofSubjects(scope)} and day >= ${days[0]!}::date and day < ${days.at(-1)!}::date
    union all
    select subject_id, change.step, ${signed}
    from (
      select of_step, to_step, hours.*
      from unnest(
        ${gaps.map(({ from }) => from.toISOString())}::timestamptz[],
        ${gaps.map(({ until }) => until.toISOString())}::timestamptz[],
        ${gaps.map((gap) => gap.of)}::int[],
        ${gaps.map((gap) => gap.to)}::int[]
      ) as gap(gap_from, gap_until, of_step, to_step),
      lateral (
        select subject_id, ${sums} from ${table("execution_counts")}
        where ${ofSubjects(scope)} and hour >= gap_from and hour < gap_until group by 1
      ) as hours
      offset 0 -- read once for both steps
    ) as gap, lateral (values (to_step, 1), (of_step, -1)) as change(step, sign)
    where change.step between 1 and ${scope.starts.length}`;
}
