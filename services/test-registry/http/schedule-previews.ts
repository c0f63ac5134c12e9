import { Problem } from "#contracts/kit/problem.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import { findPlan } from "../../kit/plan/plan-table.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { explainHeldBack } from "../domain/held-back.ts";
import { listClockChangeNotes, noteAt } from "../domain/recurrence/clock-change-notes.ts";
import { countInMonth, listMoments, shortestStepSeconds, spreadWidthSeconds } from "../domain/recurrence/recurrence.ts";
import { findRecurrenceErrors, getSpreadSeconds, toRecurrence } from "../domain/recurrence/recurrence-rules.ts";
import { countExecutions } from "../store/circle-tests.ts";
import { schemaName, type TestDatabase } from "../store/tables.ts";
import { resolveCircle } from "./resolved-circles.ts";
import { toLocalMoment } from "./schedule-presenter.ts";

const previewedTimes = 10;

export function createSchedulePreviewHandlers({
  db,
  readTime,
}: {
  db: TestDatabase;
  readTime: SharedClock;
}): Pick<Handlers<typeof testRegistryContract>, "previewSchedule"> {
  async function getCountExecutions(organizationId: string, testCircleId: string): Promise<number> {
    const { running } = await resolveCircle(db, organizationId, testCircleId);
    const testIds = running.map(({ test }) => test.id);
    return await countExecutions(db, organizationId, testIds);
  }

  return {
    async previewSchedule({ caller, body }) {
      const { scheduleId, testCircleId } = body;
      const now = body.from ? new Date(body.from) : await readTime();
      const errors = findRecurrenceErrors(body, now);
      if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
      const recurrence = toRecurrence(body, scheduleId ? getSpreadSeconds(body, scheduleId) : 0);
      const toMoment = (instant: number) => toLocalMoment(recurrence.timeZone, new Date(instant));
      const moments = listMoments(recurrence, now.getTime(), { atMost: previewedTimes });
      const runsPerMonth = countInMonth(recurrence, now.getTime());
      const executions = testCircleId ? await getCountExecutions(caller.organizationId, testCircleId) : 1;
      return {
        items: moments.map((instant) => ({ ...toMoment(instant), note: noteAt(recurrence, instant) })),
        clockChanges: listClockChangeNotes(recurrence, now.getTime()).map(({ at, note }) => ({
          ...toMoment(at),
          note,
        })),
        spreadWithinSeconds: body.spread && !scheduleId ? spreadWidthSeconds(recurrence) - 1 : 0,
        shortestStepSeconds: shortestStepSeconds(recurrence),
        runsPerMonth,
        executionsPerMonth: runsPerMonth * executions,
        heldBack: explainHeldBack(await findPlan(db, schemaName, caller.organizationId), recurrence) ?? null,
      };
    },
  };
}
