import { writeZone, zoneNames } from "#libraries/time-zone/zone-names.ts";

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The local time of a moment written with its offset: `Mon 26 Oct 2026, 07:00`. */
export function formatWall(local: string): string {
  const date = new Date(`${local.slice(0, 10)}T00:00:00Z`);
  const day = `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const seconds = local.slice(17, 19);
  return `${day}, ${local.slice(11, 16)}${seconds === "00" ? "" : `:${seconds}`}`;
}

/** The zone of a moment written with its offset: `CET`, or `UTC+9` where the zone has no short name. */
export function formatZone(local: string, timeZone: string): string {
  const [sign, hours, minutes] = [local.at(-6), local.slice(-5, -3), local.slice(-2)];
  const minutesAhead = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return writeZone(minutesAhead, zoneNames(timeZone));
}
