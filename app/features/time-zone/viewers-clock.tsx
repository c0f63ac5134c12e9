import { createContext, type ReactNode, useContext } from "react";
import { maxCachedZones, offsetAt } from "#libraries/time-zone/wall-clock.ts";
import { formatMoment } from "#libraries/time-zone/written-moment.ts";
import type { ZoneNames } from "#libraries/time-zone/zone-names.ts";
import { type Clock, ClockProvider } from "~/ui/moment/moment";

const quarterHour = 15 * 60_000;
/** More than the moments of one page, and negligible memory. */
const maxKnown = 500;

/**
 * Clocks change on quarters of an hour, so all moments of one share an offset: computing it takes 6 µs, this a tenth.
 */
function createOffsets(timeZone: string) {
  const known = new Map<number, number>();
  return (instant: number): number => {
    const quarter = Math.floor(instant / quarterHour);
    let minutes = known.get(quarter);
    if (minutes === undefined) {
      if (known.size >= maxKnown) known.clear();
      minutes = offsetAt(timeZone, quarter * quarterHour) / 60_000;
      known.set(quarter, minutes);
    }
    return minutes;
  };
}

const clocks = new Map<string, Clock>();

/** The clock of a zone, with the zone's short names. */
export function clockIn({ timeZone, names }: ViewersZone): Clock {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const minutesAhead = createOffsets(timeZone);
    clock = {
      format: (value, precise) => formatMoment(value, precise, minutesAhead(Date.parse(value)), names),
      timeZone: timeZone === "UTC" ? undefined : timeZone,
    };
    if (clocks.size >= maxCachedZones) clocks.clear();
    clocks.set(timeZone, clock);
  }
  return clock;
}

export interface ViewersZone {
  timeZone: string;
  /** From the server in the browser too: the two know different names. */
  names: ZoneNames;
}

const Zone = createContext<ViewersZone | undefined>(undefined);

/** The zone of the page's viewer. */
export const useViewersZone = () => useContext(Zone);

/** Moments in here are formatted in the viewer's zone. */
export function ViewersClock({ zone, children }: { zone: ViewersZone | undefined; children: ReactNode }) {
  if (!zone) return children;
  return (
    <Zone.Provider value={zone}>
      <ClockProvider value={clockIn(zone)}>{children}</ClockProvider>
    </Zone.Provider>
  );
}
