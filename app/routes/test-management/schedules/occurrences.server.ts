import { writeLocal } from "#libraries/time-zone/wall-clock.ts";
import { available } from "~/backend/responses";
import { circleRunAddress } from "~/features/circles/circle-addresses";
import type { Viewer } from "~/session/guards";

const displayed = 10;

/** The last occurrences of a schedule; undefined where unknown. */
export async function readOccurrences(
  { backend }: Viewer,
  { apiId, testCircleId, scheduleId }: { apiId: string; testCircleId: string; scheduleId: string },
  { timeZone, cursor }: { timeZone: string; cursor: string | undefined },
) {
  const page = available(
    await backend.testExecutioner.listOccurrences({ query: { scheduleId, cursor, limit: displayed } }),
  );
  const circle = { id: testCircleId, apiIds: [apiId] };
  return (
    page && {
      timeZone,
      cursor,
      nextCursor: page.nextCursor,
      items: page.items.map(({ scheduledFor, state, isLate, reason, times, run }) => ({
        ...{ scheduledFor, state, isLate, reason, times },
        local: writeLocal(timeZone, Date.parse(scheduledFor)),
        run: run && { ...run, address: circleRunAddress(circle, run.id, apiId) },
      })),
    }
  );
}

export type DisplayedOccurrences = NonNullable<Awaited<ReturnType<typeof readOccurrences>>>;
