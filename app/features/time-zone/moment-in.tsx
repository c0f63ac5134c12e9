import { writeLocal } from "#libraries/time-zone/wall-clock.ts";
import { ZonedMoment } from "~/ui/moment/zoned-moment";

export interface MomentInProps {
  /** RFC 3339. */
  value: string;
  timeZone: string;
}

/** A point in time in the viewer's zone: `Mon 26 Oct 2026, 07:00 Europe/Berlin`. */
export function MomentIn({ value, timeZone }: MomentInProps) {
  return (
    <ZonedMoment
      at={value}
      local={writeLocal(timeZone, Math.floor(Date.parse(value) / 60_000) * 60_000)}
      timeZone={timeZone}
    />
  );
}
