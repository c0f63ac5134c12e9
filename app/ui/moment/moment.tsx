import { type ComponentPropsWithoutRef, createContext, useContext } from "react";

export interface MomentProps extends Omit<ComponentPropsWithoutRef<"time">, "dateTime" | "children"> {
  /** RFC 3339. */
  value: string;
  /** With seconds, where things follow each other quickly. */
  precise?: boolean;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A point in time as words by clocks that are so many minutes ahead of UTC: `21 Nov 2026, 15:03 UTC+1`. How far they are
 * stands beside it, since a reader may have other clocks, and when clocks are set back they show an hour twice. Written
 * by hand: `Intl.DateTimeFormat` was the slowest part of rendering a list.
 */
export function formatMoment(value: string, precise = false, minutesAhead = 0): string {
  const wall = new Date(Date.parse(value) + minutesAhead * 60_000);
  const clock = wall.toISOString().slice(11, precise ? 19 : 16);
  return `${wall.getUTCDate()} ${months[wall.getUTCMonth()]} ${wall.getUTCFullYear()}, ${clock} ${writeOffset(minutesAhead)}`;
}

/** `UTC+1`, `UTC−3:30`. */
function writeOffset(minutesAhead: number): string {
  if (minutesAhead === 0) return "UTC";
  const [hours, minutes] = [Math.floor(Math.abs(minutesAhead) / 60), Math.abs(minutesAhead) % 60];
  const part = minutes === 0 ? "" : `:${String(minutes).padStart(2, "0")}`;
  return `UTC${minutesAhead < 0 ? "−" : "+"}${hours}${part}`;
}

export type FormatMoment = (value: string, precise?: boolean) => string;

const Clock = createContext<FormatMoment>((value, precise) => formatMoment(value, precise));

/** By whose clocks moments are told in a page; by those of UTC where nobody says. */
export const ClockProvider = Clock.Provider;

/** Writes moments as `Moment` does, for sentences. */
export const useFormatMoment = () => useContext(Clock);

/** How long ago, a second at least: `12 s ago`, `5 min ago`, `3 h ago`, `9 days ago`. */
export function formatAgo(value: string, now: string): string {
  const seconds = Math.max(1, Math.floor((Date.parse(now) - Date.parse(value)) / 1_000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}

/** A point in time, readable by machines too. */
export function Moment({ value, precise, ...rest }: MomentProps) {
  const format = useFormatMoment();
  return (
    <time {...rest} dateTime={value}>
      {format(value, precise)}
    </time>
  );
}
