import type { Clock } from "../../kit/clock/clock.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { writeLocal } from "../../kit/time-zone/wall-clock.ts";
import type { testRegistryContract } from "../contract/contract.ts";
import { listClockChangeNotes, noteAt } from "../domain/recurrence/clock-change-notes.ts";
import { countInMonth, listMoments, shortestStepSeconds, spreadWidthSeconds } from "../domain/recurrence/recurrence.ts";
import { findRecurrenceFaults, recurrenceOf, spreadSecondsOf } from "../domain/recurrence/recurrence-rules.ts";

const shown = 10;

export function createSchedulePreviewHandlers({
  clock,
}: {
  clock: Clock;
}): Pick<Handlers<typeof testRegistryContract>, "previewSchedule"> {
  return {
    previewSchedule({ body }) {
      const { scheduleId } = body;
      const now = body.from ? new Date(body.from) : clock.now();
      const errors = findRecurrenceFaults(body, now);
      if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
      const recurrence = recurrenceOf(body, scheduleId ? spreadSecondsOf(body, scheduleId) : 0);
      const momentOf = (instant: number) => ({
        at: new Date(instant).toISOString(),
        local: writeLocal(recurrence.timeZone, instant),
      });
      const moments = listMoments(recurrence, now.getTime(), { atMost: shown });
      return {
        items: moments.map((instant) => ({ ...momentOf(instant), note: noteAt(recurrence, instant) })),
        clockChanges: listClockChangeNotes(recurrence, now.getTime()).map(({ at, note }) => ({
          ...momentOf(at),
          note,
        })),
        spreadWithinSeconds: body.spread && !scheduleId ? spreadWidthSeconds(recurrence) - 1 : 0,
        shortestStepSeconds: shortestStepSeconds(recurrence),
        runsPerMonth: countInMonth(recurrence, now.getTime()),
      };
    },
  };
}
