import { uuidv7obj } from "uuidv7";
import { requireValue } from "../../services/kit/client/client.ts";
import type { Database } from "../../services/kit/database/database.ts";
import { listStoredDetails } from "../../services/test-executioner/store/details.ts";
import { createPartitions } from "../../services/test-executioner/store/partitions.ts";
import {
  type ExecutionDatabase,
  type ExecutionTables,
  schemaName,
} from "../../services/test-executioner/store/tables.ts";
import type { Example, ExampleBackend } from "./make-example.ts";

const hour = 3_600_000;
const lastDays = { hours: 72, between: 1 };
const month = { hours: 720, between: 6 };
/** Hours back from now: every hour of the last three days, and four runs on each day of a month before. */
const slots = [
  ...Array.from({ length: lastDays.hours / lastDays.between }, (_, index) => (index + 1) * lastDays.between),
  ...Array.from(
    { length: (month.hours - lastDays.hours) / month.between },
    (_, index) => lastDays.hours + (index + 1) * month.between,
  ),
];
/** Hours back from now with the shop's problems: a night, an hour, an afternoon. */
const failing = new Set([31, 32, 33, 34, 52, 102, 108, 366]);

interface History extends Pick<Example, "schedule" | "testCircleId"> {
  /** Without problems, and with the shop's problems. */
  runIds: { well: string; failing: string };
  organizationId: string;
  now: Date;
}

/** A UUIDv7 of that moment; the order of ids is chronological. */
function idAt(moment: Date, position: number): string {
  const bytes = uuidv7obj().bytes.slice();
  const milliseconds = moment.getTime();
  for (let byte = 0; byte < 6; byte += 1) bytes[byte] = Math.floor(milliseconds / 256 ** (5 - byte)) % 256;
  bytes[6] = 0x70 | (position >> 8);
  bytes[7] = position & 0xff;
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/**
 * A month of runs as its schedule would have left them: copies of the two real ones, with other times and response
 * times. Then everything is recounted, so that hours and days match.
 */
export async function writeHistory(
  database: Database,
  { testExecutioner }: ExampleBackend,
  history: History,
): Promise<number> {
  const db = database.inSchema<ExecutionTables>(schemaName);
  const { organizationId, now } = history;
  await createPartitions(database.kysely, now, new Date(now.getTime() - month.hours * hour));
  const well = await readRun(db, organizationId, history.runIds.well);
  const broken = await readRun(db, organizationId, history.runIds.failing);
  for (const back of slots.toReversed()) {
    // At minute seven, as in the schedule.
    const slot = new Date(Math.floor(now.getTime() / hour) * hour + 7 * 60_000 - back * hour);
    await copyRun(db, failing.has(back) ? broken : well, { ...history, at: slot });
  }
  requireValue(await testExecutioner.recount({ body: { organizationId } }), "counting");
  return slots.length;
}

type MadeRun = Awaited<ReturnType<typeof readRun>>;

async function readRun(db: ExecutionDatabase, organizationId: string, runId: string) {
  const own = db.selectFrom("runs").selectAll().where("organization_id", "=", organizationId).where("id", "=", runId);
  const members = db
    .selectFrom("executions")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("run_id", "=", runId)
    .orderBy("position");
  const run = await own.executeTakeFirstOrThrow();
  const executions = await members.execute();
  const ids = executions.map(({ id }) => id);
  const stored = await listStoredDetails(db, organizationId, ids);
  return { run, executions, details: new Map(stored.map((details) => [details.execution_id, details])) };
}

async function copyRun(db: ExecutionDatabase, { run, executions, details }: MadeRun, given: History & { at: Date }) {
  const shift = given.at.getTime() - run.queued_at.getTime();
  const moved = (moment: Date) => new Date(moment.getTime() + shift);
  const movedOrNull = (moment: Date | null) => moment && moved(moment);
  const started = { trigger: "schedule" as const };
  const runId = idAt(given.at, 0);
  // Between 0.8 and 1.5 times the original duration.
  const pace = 0.8 + Math.random() * 0.7;
  const copies = executions.map((execution) => ({
    ...{ ...execution, ...started, id: idAt(moved(execution.queued_at), execution.position), run_id: runId },
    queued_at: moved(execution.queued_at),
    started_at: movedOrNull(execution.started_at),
    finished_at: moved(execution.finished_at),
    response_milliseconds: execution.response_milliseconds && execution.response_milliseconds * pace,
  }));
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("runs")
      .values({
        ...{ ...run, ...started, id: runId, queued_at: given.at },
        ...{ starter_kind: "schedule", starter_id: given.schedule.id, starter_name: given.schedule.name },
        started_at: movedOrNull(run.started_at),
        finished_at: movedOrNull(run.finished_at),
      })
      .execute();
    await transaction
      .insertInto("occurrences")
      .values({
        ...{ id: runId, run_id: runId, organization_id: given.organizationId, test_circle_id: given.testCircleId },
        ...{ schedule_id: given.schedule.id, schedule_name: given.schedule.name, schedule_version: 1 },
        ...{ scheduled_for: given.at, recorded_at: given.at, state: "started", times: 1, is_late: false },
      })
      .execute();
    await transaction.insertInto("executions").values(copies).execute();
    const copied = copies.flatMap(({ id }, index) => {
      const known = details.get(executions[index]!.id);
      return known ? [{ ...known, execution_id: id, attempts: moveTimes(known.attempts, shift) }] : [];
    });
    await transaction.insertInto("execution_details").values(copied).execute();
  });
}

/** Attempts are JSON that contains their start times. */
function moveTimes(attempts: string, shift: number): string {
  return attempts.replace(/"startedAt":"([^"]+)"/g, (_whole, moment: string) => {
    return `"startedAt":"${new Date(Date.parse(moment) + shift).toISOString()}"`;
  });
}
