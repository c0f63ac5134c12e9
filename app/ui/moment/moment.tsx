import { type ComponentPropsWithoutRef, createContext, useContext } from "react";
import { formatMoment } from "#libraries/time-zone/written-moment.ts";

export interface MomentProps extends Omit<ComponentPropsWithoutRef<"time">, "dateTime" | "children"> {
  /** RFC 3339. */
  value: string;
  /** With seconds, for events in quick succession. */
  precise?: boolean;
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
