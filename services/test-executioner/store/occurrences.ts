import { type SqlBool, sql, type Transaction } from "kysely";
import { uuidv7 } from "uuidv7";
import { findPlans } from "../../kit/plan/plan-table.ts";
import { listDeleted } from "./deleted-tests.ts";
import { listFull } from "./full-plans.ts";
import type { OccurrenceTables } from "./occurrence-tables.ts";
import { explainNoQuota, reserve } from "./plan-quota.ts";
import { TriedAgain } from "./retry-deadlock.ts";
import { insertRuns, type NewRun, toWanted } from "./runs.ts";
import { listUnfenced } from "./schedule-fences.ts";
import { type ExecutionDatabase, type ExecutionTables, schemaName, table } from "./tables.ts";
import { holdBusyCircles, isBusy } from "./unfinished-run.ts";

type OccurrenceRow = OccurrenceTables["occurrences"];

/** The prepared start before it is stored: a run, or the reason why there is none. */
export type Prepared = { run: NewRun } | { failure: string } | { skipped: string };

/** One due time of a schedule. */
export interface Occurring {
  organizationId: string;
  scheduleId: string;
  scheduleName?: string;
  version: number;
  testCircleId: string;
  overlap: "skip" | "queue";
  start?: { scheduledFor: Date; isLate: boolean; prepared: Prepared };
  missed: Date[];
  missedBefore?: { since: Date; times: number };
}

type Starting = Occurring & { start: NonNullable<Occurring["start"]> };
type Outcome = Pick<OccurrenceRow, "state" | "reason" | "run_id">;

const missedReason =
  "The portal was not running at that time, could not reach its database, or its clock was set forward.";
const overlapReason = "The run before still went on.";
const waitingReason = "Another run of this schedule waited already.";
const changedReason = "The schedule was changed while this run waited for the one before.";

const none = { reason: null, run_id: null };
const getRun = ({ start }: Starting) => ("run" in start.prepared ? start.prepared.run : undefined);

/** Which of these are already recorded, as `<schedule> <ISO moment>`. */
export async function listRecorded(
  db: ExecutionDatabase,
  times: { scheduleId: string; scheduledFor: Date }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ schedule_id: string; scheduled_for: Date }>`
    select occurrence.schedule_id, occurrence.scheduled_for
    from unnest(
      ${times.map(({ scheduleId }) => scheduleId)}::uuid[],
      ${times.map(({ scheduledFor }) => scheduledFor)}::timestamptz[]
    ) as given(schedule_id, scheduled_for)
    join ${table("occurrences")} occurrence
      on occurrence.schedule_id = given.schedule_id and occurrence.scheduled_for = given.scheduled_for`.execute(db);
  return new Set(rows.map((row) => recordedKey(row.schedule_id, row.scheduled_for)));
}

export function recordedKey(scheduleId: string, scheduledFor: Date): string {
  return `${scheduleId} ${scheduledFor.toISOString()}`;
}

/** Reports organizations whose plans had no executions left for their scheduled runs. */
export type PublishSkipped = (transaction: Transaction<ExecutionTables>, organizationIds: string[]) => Promise<void>;

/**
 * Records the outcome of schedules' due times, each with the run it starts. A time recorded before stays unchanged and
 * starts nothing.
 * @returns by schedule: `void` if the schedule was changed before, `later` if a test was deleted since it was read
 */
export async function recordOccurrences(
  transaction: Transaction<ExecutionTables>,
  given: Occurring[],
  now: Date,
  publishSkipped: PublishSkipped,
): Promise<Map<string, "recorded" | "void" | "later">> {
  const unfenced = await listUnfenced(transaction, given);
  const isStarting = (occurring: Occurring): occurring is Starting => occurring.start !== undefined;
  const candidates = given.filter(({ scheduleId }) => unfenced.has(scheduleId)).filter(isStarting);
  const running = candidates.flatMap((starting) => getRun(starting) ?? []);
  const [busy, waiting, deleted] = [
    await holdBusyCircles(transaction, candidates),
    await getListWaiting(transaction, candidates),
    new Set(await listDeleted(transaction, running)),
  ];
  const isLater = (occurring: Occurring) => isStarting(occurring) && deleted.has(getRun(occurring)!);
  const full = await listFull(transaction, running);
  const rows: OccurrenceRow[] = [];
  for (const occurring of given) {
    if (!unfenced.has(occurring.scheduleId) || isLater(occurring)) continue;
    rows.push(...missedRows(occurring, now));
    if (!isStarting(occurring)) continue;
    const { scheduledFor, isLate } = occurring.start;
    rows.push({
      ...toRow(occurring, now),
      scheduled_for: scheduledFor,
      is_late: isLate,
      ...decide(occurring, { busy, waiting, full }),
    });
  }
  const stored = await insertNew(transaction, rows);
  const started = running.filter(({ id }) => stored.has(id));
  await insertRuns(transaction, started);
  if (!(await reserve(transaction, started.map(toWanted)))) throw new QuotaTaken();
  await publishSkipped(
    transaction,
    running.filter(({ id }) => full.has(id)).map(({ organizationId }) => organizationId),
  );
  return new Map(
    given.map((occurring) => [
      occurring.scheduleId,
      !unfenced.has(occurring.scheduleId) ? "void" : isLater(occurring) ? "later" : "recorded",
    ]),
  );
}

/** Other transactions used the quota since it was checked: checked again. */
class QuotaTaken extends TriedAgain {}

/** When a circle is started twice, the second start finds the first. */
function decide(
  starting: Starting,
  { busy, waiting, full }: { busy: Set<string>; waiting: Set<string>; full: Map<string, string> },
): Outcome {
  const { scheduleId, testCircleId, overlap, start } = starting;
  const { prepared } = start;
  if ("skipped" in prepared) return { ...none, state: "skipped", reason: prepared.skipped };
  if ("failure" in prepared) return { ...none, state: "failed", reason: prepared.failure };
  const noQuota = full.get(prepared.run.id);
  if (noQuota) return { ...none, state: "skipped", reason: noQuota };
  if (waiting.has(scheduleId)) return { ...none, state: "skipped", reason: waitingReason };
  if (!busy.has(testCircleId)) {
    busy.add(testCircleId);
    return { ...none, state: "started", run_id: prepared.run.id };
  }
  if (overlap === "skip") return { ...none, state: "skipped", reason: overlapReason };
  waiting.add(scheduleId);
  return { ...none, state: "waiting" };
}

function toRow({ organizationId, scheduleId, scheduleName, version, testCircleId }: Occurring, now: Date) {
  return {
    ...{ id: uuidv7(), organization_id: organizationId, schedule_id: scheduleId, schedule_version: version },
    ...{
      schedule_name: scheduleName ?? null,
      test_circle_id: testCircleId,
      times: 1,
      is_late: false,
      recorded_at: now,
    },
  };
}

function missedRows(occurring: Occurring, now: Date): OccurrenceRow[] {
  const { missed, missedBefore } = occurring;
  const outcome = { state: "missed" as const, reason: missedReason, run_id: null };
  const before = missedBefore ? [{ scheduled_for: missedBefore.since, times: missedBefore.times }] : [];
  return [...before, ...missed.map((scheduled_for) => ({ scheduled_for, times: 1 }))].map((time) => ({
    ...toRow(occurring, now),
    ...outcome,
    ...time,
  }));
}

/** @returns ids of runs whose occurrence was newly stored */
async function insertNew(transaction: Transaction<ExecutionTables>, rows: OccurrenceRow[]): Promise<Set<string>> {
  const column = <Key extends keyof OccurrenceRow>(key: Key) => rows.map((row) => row[key]);
  const { rows: stored } = await sql<{ run_id: string | null }>`
    insert into ${table("occurrences")}
      (id, organization_id, schedule_id, schedule_version, schedule_name, test_circle_id, scheduled_for, state, is_late,
        reason, times, run_id, recorded_at)
    select * from unnest(
      ${column("id")}::uuid[], ${column("organization_id")}::uuid[], ${column("schedule_id")}::uuid[],
      ${column("schedule_version")}::int[], ${column("schedule_name")}::text[], ${column("test_circle_id")}::uuid[],
      ${column("scheduled_for")}::timestamptz[], ${column("state")}::text[], ${column("is_late")}::boolean[],
      ${column("reason")}::text[], ${column("times")}::int[], ${column("run_id")}::uuid[],
      ${column("recorded_at")}::timestamptz[]
    )
    on conflict (schedule_id, scheduled_for) do nothing
    returning run_id`.execute(transaction);
  return new Set(stored.flatMap(({ run_id }) => run_id ?? []));
}

/** Schedules with a waiting occurrence. */
async function getListWaiting(
  transaction: Transaction<ExecutionTables>,
  schedules: { scheduleId: string }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ schedule_id: string }>`
    select schedule_id from ${table("occurrences")}
    where state = 'waiting' and schedule_id = any(${schedules.map(({ scheduleId }) => scheduleId)}::uuid[])`.execute(
    transaction,
  );
  return new Set(rows.map(({ schedule_id }) => schedule_id));
}

/** Occurrences that waited for a run that has ended since, the longest waiting first. */
export async function listReady(db: ExecutionDatabase, max: number): Promise<OccurrenceRow[]> {
  return await db
    .selectFrom("occurrences")
    .selectAll()
    .where("state", "=", "waiting")
    .where(sql<SqlBool>`not ${isBusy(sql.ref("occurrences.organization_id"), sql.ref("occurrences.test_circle_id"))}`)
    .orderBy("scheduled_for")
    .limit(max)
    .execute();
}

/** Starts a waiting occurrence unless another process did, or its circle is running again. */
export async function startReady(
  transaction: Transaction<ExecutionTables>,
  { id }: Pick<OccurrenceRow, "id">,
  prepared: Prepared,
  publishSkipped: PublishSkipped,
): Promise<void> {
  const row = await transaction
    .selectFrom("occurrences")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!row) return;
  const schedule = { scheduleId: row.schedule_id, version: row.schedule_version };
  const write = async (outcome: Outcome) => {
    await transaction.updateTable("occurrences").set(outcome).where("id", "=", id).execute();
  };
  if ((await listUnfenced(transaction, [schedule])).size === 0) {
    return await write({ ...none, state: "skipped", reason: changedReason });
  }
  if ("skipped" in prepared) return await write({ ...none, state: "skipped", reason: prepared.skipped });
  if ("failure" in prepared) return await write({ ...none, state: "failed", reason: prepared.failure });
  const circle = { organizationId: row.organization_id, testCircleId: row.test_circle_id };
  if ((await holdBusyCircles(transaction, [circle])).size > 0) return;
  if ((await listDeleted(transaction, [prepared.run])).length > 0) return;
  const wanted = toWanted(prepared.run);
  const known = (await findPlans(transaction, schemaName, [wanted.organizationId])).get(wanted.organizationId);
  const noQuota = explainNoQuota(known, wanted);
  if (noQuota) {
    await write({ ...none, state: "skipped", reason: noQuota.detail });
    return await publishSkipped(transaction, [wanted.organizationId]);
  }
  await insertRuns(transaction, [prepared.run]);
  if (!(await reserve(transaction, [wanted]))) throw new QuotaTaken();
  await write({ ...none, state: "started", run_id: prepared.run.id });
}
