import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ScheduleInput } from "#contracts/test-registry/schedules.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import { readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import { entityTag, parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { nextAfter, type Recurrence } from "../domain/recurrence/recurrence.ts";
import { findRecurrenceErrors, getSpreadSeconds, toRecurrence } from "../domain/recurrence/recurrence-rules.ts";
import { findCircle, lockCircleAgainstDeletion } from "../store/circles.ts";
import {
  findSchedule,
  insertSchedule,
  type NamedSchedule,
  recurrenceOfRow,
  removeSchedule,
  updateSchedule,
} from "../store/schedules.ts";
import { keyTable, type TestDatabase, type TestTransaction } from "../store/tables.ts";
import type { RequirePlanAllows } from "./plan-intervals.ts";
import type { ScheduleFence } from "./schedule-fence.ts";
import { createSchedulePresenter } from "./schedule-presenter.ts";

type ScheduleHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "createSchedule" | "getSchedule" | "changeSchedule" | "deleteSchedule"
>;

export function toColumns(input: ScheduleInput, recurrence: Recurrence, now: Date) {
  return {
    name: input.name || null,
    cron: recurrence.cron ?? null,
    every_seconds: recurrence.everySeconds ?? null,
    time_zone: recurrence.timeZone,
    active_hours: recurrence.activeHours ?? null,
    is_spread: input.spread,
    spread_seconds: recurrence.spreadSeconds,
    enabled: input.enabled,
    overlap: input.overlap,
    catch_up: input.catchUp,
    updated_at: now,
  };
}

function audited(row: NamedSchedule) {
  const { circle_id: testCircleId, name, cron, every_seconds: everySeconds, time_zone: timeZone, enabled } = row;
  const { overlap, catch_up: catchUp, active_hours: activeHours, version } = row;
  return { testCircleId, name, cron, everySeconds, timeZone, activeHours, enabled, overlap, catchUp, version };
}

export const sameTimes = (one: Recurrence, other: Recurrence) => JSON.stringify(one) === JSON.stringify(other);

/** Creates the handlers of schedules. */
export function createScheduleHandlers(parts: {
  db: TestDatabase;
  readTime: SharedClock;
  fence: ScheduleFence;
  requirePlanAllows: RequirePlanAllows;
}): ScheduleHandlers {
  const { db, readTime, fence, requirePlanAllows } = parts;

  function requireFaultless(input: ScheduleInput, now: Date): void {
    const errors = findRecurrenceErrors(input, now);
    if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
  }

  async function requireSchedule(organizationId: string, scheduleId: string): Promise<NamedSchedule> {
    const row = await findSchedule(db, { organizationId, scheduleId });
    if (!row) throw notFound("schedule");
    return row;
  }

  /** Changes a schedule once nothing can start by its version any more. */
  async function changeFenced(
    requester: { organizationId: string; requestId: string; request: Request },
    scheduleId: string,
    change: (transaction: TestTransaction, before: NamedSchedule) => Promise<boolean>,
  ): Promise<void> {
    const { organizationId, request } = requester;
    const versions = parseIfMatch(request.headers.get("if-match"));
    for (;;) {
      const before = await requireSchedule(organizationId, scheduleId);
      if (versions && !versions.includes(before.version)) {
        throw new Problem("stale_version", "Someone else changed this schedule in the meantime. View again.");
      }
      await fence.raise(requester, [before]);
      if (await db.transaction().execute((transaction) => change(transaction, before))) return;
    }
  }

  return {
    async createSchedule({ caller, params: { testCircleId }, body, request, requestId, log, record, answerHeaders }) {
      const { organizationId } = caller;
      const key = readIdempotencyKey(request, body);
      const now = await readTime();
      requireFaultless(body, now);
      const id = uuidv7();
      const recurrence = toRecurrence(body, getSpreadSeconds(body, id));
      if (!(await findCircle(db, { organizationId, testCircleId }))) throw notFound("test circle");
      await requirePlanAllows({ organizationId, requestId }, recurrence);
      const created = await db.transaction().execute(async (transaction) => {
        const first = key && (await reserveKey(transaction, keyTable, { ...key, organizationId, makes: id, now }));
        if (first) {
          await record(transaction);
          return first;
        }
        if (!(await lockCircleAgainstDeletion(transaction, { organizationId, testCircleId })))
          throw notFound("test circle");
        await insertSchedule(transaction, {
          id,
          organization_id: organizationId,
          circle_id: testCircleId,
          version: 1,
          created_at: now,
          ...toColumns(body, recurrence, now),
          next_at: body.enabled ? new Date(nextAfter(recurrence, now.getTime())!) : null,
          claimed_until: null,
        });
        const row = await findSchedule(transaction, { organizationId, scheduleId: id });
        await record(transaction, { id, after: audited(row!) });
        return id;
      });
      const row = await findSchedule(db, { organizationId, scheduleId: created });
      if (!row) throw new Problem("conflict", "The schedule that was created with this Idempotency-Key was deleted.");
      if (created === id) log.info({ scheduleId: id, testCircleId, userId: caller.userId }, "schedule created");
      answerHeaders.set("etag", entityTag(row.version));
      return (await createSchedulePresenter(db, caller.organizationId))(row);
    },

    async getSchedule({ caller, params, answerHeaders }) {
      const row = await requireSchedule(caller.organizationId, params.scheduleId);
      answerHeaders.set("etag", entityTag(row.version));
      return (await createSchedulePresenter(db, caller.organizationId))(row);
    },

    async changeSchedule({ caller, params: { scheduleId }, body, request, requestId, log, record, answerHeaders }) {
      const { organizationId } = caller;
      const now = await readTime();
      requireFaultless(body, now);
      const recurrence = toRecurrence(body, getSpreadSeconds(body, scheduleId));
      await requireSchedule(organizationId, scheduleId);
      await requirePlanAllows({ organizationId, requestId }, recurrence);
      await changeFenced({ organizationId, requestId, request }, scheduleId, async (transaction, before) => {
        const keepsTimes = before.enabled && sameTimes(recurrence, recurrenceOfRow(before));
        // A due time must not be lost when only the name changes.
        const next = keepsTimes ? before.next_at : new Date(nextAfter(recurrence, now.getTime())!);
        const changed = {
          id: scheduleId,
          organization_id: organizationId,
          ...toColumns(body, recurrence, now),
          next_at: body.enabled ? next : null,
        };
        if (!(await updateSchedule(transaction, changed, before.version))) return false;
        const after = await findSchedule(transaction, { organizationId, scheduleId });
        await record(transaction, { id: scheduleId, before: audited(before), after: audited(after!) });
        return true;
      });
      const row = await requireSchedule(organizationId, scheduleId);
      log.info({ scheduleId, userId: caller.userId, version: row.version }, "schedule changed");
      answerHeaders.set("etag", entityTag(row.version));
      return (await createSchedulePresenter(db, caller.organizationId))(row);
    },

    async deleteSchedule({ caller, params: { scheduleId }, request, requestId, log, record }) {
      const { organizationId } = caller;
      await changeFenced({ organizationId, requestId, request }, scheduleId, async (transaction, before) => {
        if (!(await removeSchedule(transaction, { organizationId, scheduleId }, before.version))) return false;
        await record(transaction, { id: scheduleId, before: audited(before) });
        return true;
      });
      log.info({ scheduleId, userId: caller.userId }, "schedule deleted");
      return undefined;
    },
  };
}
