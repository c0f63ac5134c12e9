import { type RawBuilder, sql } from "kysely";
import type { Executor } from "../../kit/database/database.ts";
import { attemptBytes, type Details, detailsWithBase, loadDetails } from "./details.ts";
import { ofRun } from "./members.ts";
import { parseSurroundings } from "./surroundings.ts";
import { type ExecutionRow, type ExecutionTables, type RunRow, table } from "./tables.ts";

type Db = Executor<ExecutionTables>;
type Outcome = Pick<ExecutionRow, "id" | "position" | "verdict" | "status_code" | "response_milliseconds">;

/** A finished member, and the same test's (same row, same repetition) in the run before. */
export interface ComparedRow extends ExecutionRow {
  occurrence: number;
  /** Empty where its run is sent from one place. */
  place: string;
  before: Outcome | null;
}

/**
 * Finished members of a run; a circle may contain a test several times. Of runs from several places only members from the
 * same place are the same.
 */
const getMembers = (run: RunRow): RawBuilder<unknown> => sql`(
  select *, ${placeOf(run)} as place,
    row_number() over (partition by test_id, row_index, ${placeOf(run)} order by position)::int as occurrence
  from ${table("executions")} where ${ofRun(run.organization_id, run.id)})`;

const placeOf = ({ surroundings }: Pick<RunRow, "surroundings">) =>
  parseSurroundings(surroundings).places ? sql`coalesce(location_id::text, 'portal')` : sql`''::text`;

const isSame = sql`earlier.test_id = member.test_id and earlier.occurrence = member.occurrence
  and earlier.place = member.place and coalesce(earlier.row_index, -1) = coalesce(member.row_index, -1)`;

export async function listComparedMembers(
  db: Db,
  run: RunRow,
  before: RunRow,
  page: { after: number; limit: number },
): Promise<ComparedRow[]> {
  const { rows } = await sql<ComparedRow>`
    select member.*,
      case when earlier.id is not null then json_build_object('id', earlier.id, 'position', earlier.position,
        'verdict', earlier.verdict, 'status_code', earlier.status_code,
        'response_milliseconds', earlier.response_milliseconds) end as before
    from ${getMembers(run)} member left join ${getMembers(before)} earlier on ${isSame}
    where member.position > ${page.after} order by member.position limit ${page.limit}`.execute(db);
  return rows;
}

export async function countChanges(db: Db, run: RunRow, before: RunRow) {
  const { rows } = await sql<{ verdict: number; status_code: number; added: number; gone: number }>`
    select
      count(*) filter (where both_there and member.verdict is distinct from earlier.verdict)::int as verdict,
      count(*) filter (where both_there and member.status_code <> earlier.status_code)::int as status_code,
      count(*) filter (where earlier.id is null)::int as added,
      count(*) filter (where member.id is null)::int as gone
    from ${getMembers(run)} member full join ${getMembers(before)} earlier on ${isSame},
      lateral (select member.id is not null and earlier.id is not null as both_there) known`.execute(db);
  const { verdict, status_code: statusCode, added, gone } = rows[0]!;
  return { verdict, statusCode, added, gone };
}

/** Members that only the run before had. */
export async function listMissing(db: Db, run: RunRow, before: RunRow, limit: number): Promise<ExecutionRow[]> {
  const { rows } = await sql<ExecutionRow>`
    select earlier.* from ${getMembers(before)} earlier left join ${getMembers(run)} member on ${isSame}
    where member.id is null order by earlier.position limit ${limit}`.execute(db);
  return rows;
}

export interface SameMember {
  memberId: string;
  executionId: string;
  statusCode: number | null;
}

/** The same members in other runs in which they passed: by the member's id, newest first. */
export async function listPassedBefore(db: Db, runs: RunRow[], members: ComparedRow[]): Promise<SameMember[]> {
  if (runs.length === 0 || members.length === 0) return [];
  const column = <Value>(read: (member: ComparedRow) => Value) => members.map(read);
  const testIds = [...new Set(column(({ test_id }) => test_id))];
  const place = members.some((member) => member.place !== "")
    ? sql`coalesce(location_id::text, 'portal')`
    : sql`''::text`;
  const { rows } = await sql<SameMember>`
    with member as (
      select * from unnest(
        ${column(({ id }) => id)}::uuid[],
        ${column(({ test_id }) => test_id)}::uuid[],
        ${column(({ row_index }) => row_index)}::int[],
        ${column(({ occurrence }) => occurrence)}::int[],
        ${column(({ place }) => place)}::text[]
      ) as given(id, test_id, row_index, occurrence, place)
    ), earlier as (
      select *, ${place} as place,
        row_number() over (partition by run_id, test_id, row_index, ${place} order by position)::int as occurrence
      from ${table("executions")}
      where organization_id = ${runs[0]!.organization_id}::uuid and run_id = any(${runs.map(({ id }) => id)}::uuid[])
        and test_id = any(${testIds}::uuid[])
    )
    select member.id as "memberId", earlier.id as "executionId", earlier.status_code as "statusCode"
    from member join earlier on ${isSame}
    where earlier.verdict in ('passed', 'flaky') order by earlier.id desc`.execute(db);
  return rows;
}

/** Maximum size of details to compare, in bytes: a body of 256 KiB with everything around it. */
const maxBytes = 600_000;
/** Limit for all details used to learn which members always differ: the newest count. */
const maxBytesTogether = 1_500_000;

export async function loadSmallDetails(
  db: Db,
  organizationId: string,
  executionIds: string[],
): Promise<Map<string, Details>> {
  return await loadDetails(db, organizationId, executionIds, { maxBytes });
}

/** The newest of each member, as many as fit the limit together. */
export async function loadDetailsTogether(
  db: Db,
  organizationId: string,
  same: SameMember[],
): Promise<Map<string, Details>> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select given.id, sum(${attemptBytes}) over (partition by member_id order by given.id desc) as together
      from unnest(
        ${same.map(({ memberId }) => memberId)}::uuid[],
        ${same.map(({ executionId }) => executionId)}::uuid[]
      ) as given(member_id, id)
      join (${detailsWithBase(same.map(({ executionId }) => executionId))}) on details.execution_id = given.id
      where details.organization_id = ${organizationId}::uuid and ${attemptBytes} <= ${maxBytes}
    ) weighed
    where together <= ${maxBytesTogether}`.execute(db);
  const ids = rows.map(({ id }) => id);
  return await loadDetails(db, organizationId, ids);
}
