import { writeLocal } from "#libraries/time-zone/wall-clock.ts";
import { useViewersZone } from "./viewers-clock";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The day of a moment by the calendar of a zone: `26 Oct 2026`. */
export function dayWords(moment: string, timeZone: string): string {
  const [year, month, day] = writeLocal(timeZone, Date.parse(moment)).slice(0, 10).split("-").map(Number);
  return `${day} ${months[month! - 1]} ${year}`;
}

export type DayWords = (moment: string) => string;

/** Formats days by the calendar of the viewer's zone. */
export function useDayWords(): DayWords {
  const timeZone = useViewersZone()?.timeZone ?? "UTC";
  return (moment) => dayWords(moment, timeZone);
}
