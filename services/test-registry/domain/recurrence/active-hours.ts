export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof weekdays)[number];

/** Daily hours in local time, e.g. 08:00 to 18:00. `to` is exclusive; earlier than `from`, it is on the next day. */
export interface ActiveHours {
  from: string;
  /** `24:00` is the end of the day. */
  to: string;
  days: Weekday[];
}

const day = 86_400_000;
const minute = 60_000;

/** In milliseconds since midnight. */
function timeOfDay(text: string): number {
  const [hours, minutes] = text.split(":").map(Number) as [number, number];
  return (60 * hours + minutes) * minute;
}

function runsOn(hours: ActiveHours, wall: number): boolean {
  return hours.days.includes(weekdays[(new Date(wall).getUTCDay() + 6) % 7]!);
}

/** @param wall local time; see kit/time-zone */
export function isActive(hours: ActiveHours, wall: number): boolean {
  const time = wall % day;
  const [from, to] = [timeOfDay(hours.from), timeOfDay(hours.to)];
  if (from < to) return time >= from && time < to && runsOn(hours, wall);
  return (time >= from && runsOn(hours, wall)) || (time < to && runsOn(hours, wall - day));
}

/** When they start next, later than this local time. */
export function nextActiveStart(hours: ActiveHours, wall: number): number {
  let start = wall - (wall % day) + timeOfDay(hours.from);
  while (start <= wall || !runsOn(hours, start)) start += day;
  return start;
}
