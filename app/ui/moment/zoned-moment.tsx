import { formatWall, formatZone } from "./wall-time";

export interface ZonedMomentProps {
  /** The moment itself, RFC 3339. */
  at: string;
  /** The same with the zone's offset, such as `2026-10-25T02:30:00+02:00`. */
  local: string;
  timeZone: string;
}

/** A planned time by the clocks of its zone: `Mon 26 Oct 2026, 07:00 CET`. */
export function ZonedMoment({ at, local, timeZone }: ZonedMomentProps) {
  return (
    <time dateTime={at} title={timeZone === "UTC" ? undefined : timeZone}>
      {formatWall(local)} {formatZone(local, timeZone)}
    </time>
  );
}
