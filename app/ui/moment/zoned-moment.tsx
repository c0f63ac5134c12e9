import { formatWall } from "./wall-time";

export interface ZonedMomentProps {
  /** The moment itself, RFC 3339. */
  at: string;
  /** The same with the zone's offset, such as `2026-10-25T02:30:00+02:00`. */
  local: string;
  timeZone: string;
}

/** A point in time with its zone: `Mon 26 Oct 2026, 07:00 Europe/Berlin`. */
export function ZonedMoment({ at, local, timeZone }: ZonedMomentProps) {
  return (
    <time dateTime={at}>
      {formatWall(local)} {timeZone}
    </time>
  );
}
