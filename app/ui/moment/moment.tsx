import { type ComponentPropsWithoutRef, createContext, useContext } from "react";
import { writeZone, type ZoneNames } from "#libraries/time-zone/zone-names.ts";

export interface MomentProps extends Omit<ComponentPropsWithoutRef<"time">, "dateTime" | "children"> {
  /** RFC 3339. */
  value: string;
  /** With seconds, for events in quick succession. */
  precise?: boolean;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A point in time at an offset from UTC in minutes: `21 Nov 2026, 15:03 CET`. The zone is displayed, since the
 * reader may be in another one, and an hour occurs twice when clocks are set back. Formatted by hand:
 * `Intl.DateTimeFormat` was the slowest part of rendering a list.
 */
export function formatMoment(value: string, precise = false, minutesAhead = 0, names?: ZoneNames): string {
  const wall = new Date(Date.parse(value) + minutesAhead * 60_000);
  const clock = wall.toISOString().slice(11, precise ? 19 : 16);
  return `${wall.getUTCDate()} ${months[wall.getUTCMonth()]} ${wall.getUTCFullYear()}, ${clock} ${writeZone(minutesAhead, names)}`;
}

export type FormatMoment = (value: string, precise?: boolean) => string;

export interface Clock {
  format: FormatMoment;
  /** IANA name, such as Europe/Berlin, behind the short name; none for UTC. */
  timeZone?: string;
}

const Clock = createContext<Clock>({ format: (value, precise) => formatMoment(value, precise) });

/** The clock of a page's moments; UTC by default. */
export const ClockProvider = Clock.Provider;

/** Formats moments as `Moment` does, for sentences. */
export const useFormatMoment = () => useContext(Clock).format;

/** A relative time, at least a second: `12 s ago`, `5 min ago`, `3 h ago`, `9 days ago`. */
export function formatAgo(value: string, now: string): string {
  const seconds = Math.max(1, Math.floor((Date.parse(now) - Date.parse(value)) / 1_000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}

/** A point in time, also machine-readable. */
export function Moment({ value, precise, ...rest }: MomentProps) {
  const { format, timeZone } = useContext(Clock);
  return (
    <time title={timeZone} {...rest} dateTime={value}>
      {format(value, precise)}
    </time>
  );
}
