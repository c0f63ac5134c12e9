import { writeLocal } from "#libraries/time-zone/wall-clock.ts";
import { formatWall, formatZone } from "~/ui/moment/wall-time";

/** Start and end in a zone's local time: `Sat 7 Mar 2026, 02:00 to 03:30 CET`; the second day only where it differs. */
export function spanWords({ from, to }: { from: string; to: string }, timeZone: string): string {
  const [start, end] = [from, to].map((moment) => writeLocal(timeZone, Date.parse(moment))) as [string, string];
  const isSameDay = start.slice(0, 10) === end.slice(0, 10);
  const last = isSameDay ? formatWall(end).split(", ")[1] : formatWall(end);
  return `${formatWall(start)} to ${last} ${formatZone(end, timeZone)}`;
}
