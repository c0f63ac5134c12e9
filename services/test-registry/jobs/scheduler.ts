import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import type { PlanStatus } from "#contracts/kit/plan.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { DueOccurrences } from "#contracts/test-executioner/occurrences.ts";
import type { Connect } from "../../kit/client/client.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import type { Plans } from "../../kit/plan/plan-ledger.ts";
import { findPlans } from "../../kit/plan/plan-table.ts";
import { type Due, findDueTimes } from "../domain/due-schedule.ts";
import { explainHeldBack } from "../domain/held-back.ts";
import { explainWindow, findWindow } from "../domain/maintenance-window.ts";
import type { OpenCircles } from "../http/opened-circles.ts";
import { listApiIdsOfCircles } from "../store/circles.ts";
import {
  claimDueSchedules,
  createLease,
  type Lease,
  postponeSchedules,
  renewVersions,
  settleSchedules,
} from "../store/due-schedules.ts";
import { listWindowsByOrganization, toScope } from "../store/maintenance-windows.ts";
import { recurrenceOfRow, type ScheduleRow } from "../store/schedules.ts";
import { schemaName, type TestDatabase } from "../store/tables.ts";

const everyMilliseconds = 500;
/** Longer than the executioner takes for a full batch. */
const leaseSeconds = 30;
const maxPerTurn = 200;
/** JSON of the circles that one call carries; the executioner requests the remaining ones. */
const maxCarriedBytes = 8 * 1_048_576;
/** A dependency of a start is unavailable. */
const retrySeconds = 5;

export interface SchedulerParts {
  db: TestDatabase;
  readTime: SharedClock;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
  plans: Plans;
  openCircles: OpenCircles;
  log: Logger;
}

interface DueSchedule {
  row: ScheduleRow;
  due: Due;
}

/** One scheduler's turns, taken one after the other; each returns the number of schedules leased. */
export function createScheduleTaker(parts: SchedulerParts): () => Promise<number> {
  let unsettled: Lease[] = [];
  return async () => {
    const now = await parts.readTime();
    unsettled = unsettled.filter(({ until }) => until > now);
    const lease = createLease(now, leaseSeconds);
    const own = unsettled;
    // Kept where the turn fails: the database may have made the claim and gone before it said so.
    unsettled = [...own, lease];
    const leased = await takeDueSchedules(parts, now, { lease, own });
    unsettled = [];
    return leased;
  };
}

/** Leases due schedules, up to a limit, and sends them to the executioner. @returns the number leased */
async function takeDueSchedules(
  parts: SchedulerParts,
  now: Date,
  { lease, own }: { lease: Lease; own: Lease[] },
): Promise<number> {
  const { db, log } = parts;
  const rows = await claimDueSchedules(db, { now, max: maxPerTurn, lease, own });
  const schedules = rows.flatMap((row) => {
    const due = computeDue(row, now.getTime(), log);
    return due ? [{ row, due }] : [];
  });
  if (schedules.length === 0) return rows.length;
  const described = await describeDue(db, schedules, now.getTime(), await loadPlanStatuses(parts, schedules));
  const items = await carryCircles(described, parts);
  const client = parts.testExecutioner({ token: await parts.serviceToken(noOrganization) });
  const sent = await client.recordOccurrences({ body: { items } });
  const outcomes = new Map(sent.ok ? sent.value.items.map(({ scheduleId, outcome }) => [scheduleId, outcome]) : []);
  const withOutcome = (wanted: string) => schedules.filter(({ row }) => (outcomes.get(row.id) ?? "later") === wanted);
  await settleSchedules(
    db,
    withOutcome("recorded").map(({ row, due }) => ({
      ...row,
      next: due.next === undefined ? null : new Date(due.next),
    })),
  );
  await renewVersions(
    db,
    withOutcome("void").map(({ row }) => row),
  );
  await postponeSchedules(
    db,
    withOutcome("later").map(({ row }) => row),
    new Date(now.getTime() + retrySeconds * 1_000),
  );
  return rows.length;
}

/** Undefined, and logged, for a schedule that cannot be computed: the others run anyway, and it is retried. */
function computeDue(row: ScheduleRow, now: number, log: Logger): Due | undefined {
  try {
    return findDueTimes(
      { recurrence: recurrenceOfRow(row), nextAt: row.next_at!.getTime(), catchUp: row.catch_up },
      now,
    );
  } catch (error) {
    log.error({ err: error, scheduleId: row.id }, "a schedule's times could not be computed");
    return undefined;
  }
}

/** The plans of their organizations; if one is not available yet, nothing is held back by it. */
async function loadPlanStatuses({ db, plans, log }: SchedulerParts, schedules: DueSchedule[]) {
  const ids = [...new Set(schedules.map(({ row }) => row.organization_id))];
  const planStatuses = await findPlans(db, schemaName, ids);
  for (const id of ids.filter((one) => !planStatuses.has(one))) {
    try {
      planStatuses.set(id, await plans.require(id, uuidv7()));
    } catch (error) {
      log.warn({ err: error, organizationId: id }, "a plan could not be asked for");
    }
  }
  return planStatuses;
}

async function describeDue(
  db: TestDatabase,
  schedules: DueSchedule[],
  now: number,
  planStatuses: Map<string, PlanStatus>,
): Promise<DueOccurrences[]> {
  const windows = await listWindowsByOrganization(db, [...new Set(schedules.map(({ row }) => row.organization_id))]);
  const circleIds = schedules.map(({ row }) => row.circle_id);
  const apiIds = windows.length > 0 ? await listApiIdsOfCircles(db, circleIds) : new Map<string, string[]>();
  return schedules.map(({ row, due }) => {
    const circle = { testCircleId: row.circle_id, apiIds: apiIds.get(row.circle_id) ?? [] };
    const scopes = windows.filter((window) => window.organization_id === row.organization_id).map(toScope);
    const { start } = due;
    const planReason = explainHeldBack(planStatuses.get(row.organization_id), recurrenceOfRow(row));
    const window = start && (findWindow(scopes, circle, start.scheduledFor) ?? findWindow(scopes, circle, now));
    return {
      organizationId: row.organization_id,
      scheduleId: row.id,
      scheduleName: row.name ?? undefined,
      version: row.version,
      testCircleId: row.circle_id,
      overlap: row.overlap,
      start: start && {
        scheduledFor: new Date(start.scheduledFor).toISOString(),
        isLate: start.isLate,
        skipReason: planReason ?? (window && explainWindow(window)),
      },
      missed: due.missed.map((moment) => new Date(moment).toISOString()),
      missedBefore: due.missedBefore && {
        since: new Date(due.missedBefore.since).toISOString(),
        times: due.missedBefore.times,
      },
    };
  });
}

/** Adds its circle to each start, so that the executioner does not request it. */
async function carryCircles(items: DueOccurrences[], { openCircles, log }: SchedulerParts): Promise<DueOccurrences[]> {
  const starting = items.filter(({ start }) => start && start.skipReason === undefined);
  try {
    const circles = new Map(
      (await openCircles(starting)).map((circle, index) => [starting[index]!.scheduleId, circle]),
    );
    let bytes = 0;
    return items.map((item) => {
      const circle = circles.get(item.scheduleId);
      if (!item.start || !circle) return item;
      bytes += Buffer.byteLength(JSON.stringify(circle));
      return bytes > maxCarriedBytes ? item : { ...item, start: { ...item.start, circle } };
    });
  } catch (error) {
    // One unreadable circle must not block the others: the executioner requests each.
    log.warn({ err: error }, "circles could not be sent with their starts");
    return items;
  }
}

/**
 * Starts circles by their schedules. Any number of schedulers may run: each leases different schedules, and unfinished
 * ones are taken over when their lease has expired.
 * @returns a function that stops it once active work is done
 */
export function startScheduler(parts: SchedulerParts): () => Promise<void> {
  const takeTurn = createScheduleTaker(parts);
  return startPeriodicJob({
    intervalMilliseconds: everyMilliseconds,
    immediately: true,
    async work(stopping) {
      let leased = maxPerTurn;
      while (leased === maxPerTurn && !stopping.aborted) leased = await takeTurn();
    },
    failure: "schedules could not be looked through",
    log: parts.log,
  });
}
