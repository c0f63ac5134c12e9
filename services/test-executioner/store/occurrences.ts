import { type SqlBool, sql, type Transaction } from "kysely";
import { uuidv7 } from "uuidv7";
import { findPlans } from "../../kit/plan/plan-table.ts";
import { listAwaited, mayBeReported } from "./agent-schedules.ts";
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
const awaitedReason = "An agent may have started it while the portal was away.";
/** Maximum wait for an agent's report; an agent that is connected again has reported by then. */
const awaitedMilliseconds = 120_000;
/** Less than an agent's default `--start-after`, 30 seconds: due times younger than that start at once. */
const overdueMilliseconds = 25_000;
const isOverdue =
  (now: Date) =>
  ({ scheduledFor }: { scheduledFor: Date }) =>
    now.getTime() - scheduledFor.getTime() > overdueMilliseconds;
/** Why an occurrence was skipped that an agent may have run all the same. */
export const overlapReasons: readonly (string | null)[] = [overlapReason, waitingReason];
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
  const [busy, waiting, awaited, deleted] = [
    await holdBusyCircles(transaction, candidates),
    await getListWaiting(transaction, candidates),
    await listAwaited(transaction, candidates.map(toDueTime).filter(isOverdue(now))),
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
      ...decide(occurring, { busy, waiting, awaited, full }),
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
export class QuotaTaken extends TriedAgain {}

interface Starts {
  /** Circles with a running run. */
  busy: Set<string>;
  /** Schedules with a waiting occurrence, by what it waits for. */
  waiting: Map<string, "run" | "agent">;
  /** Schedules whose due time an agent may have started. */
  awaited: Set<string>;
  /** Runs that their plans have no executions left for. */
  full: Map<string, string>;
}

/** When a circle is started twice, the second start finds the first. */
function decide(starting: Starting, { busy, waiting, awaited, full }: Starts): Outcome {
  const { scheduleId, testCircleId, overlap, start } = starting;
  const { prepared } = start;
  if ("skipped" in prepared) return { ...none, state: "skipped", reason: prepared.skipped };
  if ("failure" in prepared) return { ...none, state: "failed", reason: prepared.failure };
  const noQuota = full.get(prepared.run.id);
  if (noQuota) return { ...none, state: "skipped", reason: noQuota };
  const before = waiting.get(scheduleId);
  // What an agent has run of those before becomes its run all the same.
  if (awaited.has(scheduleId) && before) return { ...none, state: "missed", reason: missedReason };
  if (awaited.has(scheduleId)) return { ...none, state: "waiting", reason: awaitedReason };
  if (before === "run") return { ...none, state: "skipped", reason: waitingReason };
  if (!busy.has(testCircleId)) {
    busy.add(testCircleId);
    return { ...none, state: "started", run_id: prepared.run.id };
  }
  if (overlap === "skip") return { ...none, state: "skipped", reason: overlapReason };
  if (before) return { ...none, state: "skipped", reason: waitingReason };
  waiting.set(scheduleId, "run");
  return { ...none, state: "waiting" };
}

const toDueTime = ({ scheduleId, start: { scheduledFor } }: Starting) => ({ scheduleId, scheduledFor });

export function toRow(
  {
    organizationId,
    scheduleId,
    scheduleName,
    version,
    testCircleId,
  }: Pick<Occurring, "organizationId" | "scheduleId" | "scheduleName" | "version" | "testCircleId">,
  now: Date,
) {
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
): Promise<Starts["waiting"]> {
  const { rows } = await sql<{ schedule_id: string; reason: string | null }>`
    select schedule_id, reason from ${table("occurrences")}
    where state = 'waiting' and schedule_id = any(${schedules.map(({ scheduleId }) => scheduleId)}::uuid[])`.execute(
    transaction,
  );
  return new Map(rows.map(({ schedule_id, reason }) => [schedule_id, reason === null ? "run" : "agent"]));
}

/** Occurrences that waited for a run that has ended since, or for an agent, the longest waiting first. */
export async function listReady(db: ExecutionDatabase, max: number, now: Date): Promise<OccurrenceRow[]> {
  const since = new Date(now.getTime() - awaitedMilliseconds);
  return await db
    .selectFrom("occurrences")
    .selectAll()
    .where("state", "=", "waiting")
    .where(sql<SqlBool>`not ${isBusy(sql.ref("occurrences.organization_id"), sql.ref("occurrences.test_circle_id"))}`)
    .where(
      sql<SqlBool>`not (reason is not null and recorded_at >= ${since}::timestamptz
        and ${mayBeReported(sql.ref("occurrences.schedule_id"), sql.ref("occurrences.scheduled_for"))})`,
    )
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
