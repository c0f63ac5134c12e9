import type { ComponentPropsWithoutRef } from "react";

export interface MomentProps extends Omit<ComponentPropsWithoutRef<"time">, "dateTime" | "children"> {
  /** RFC 3339. */
  value: string;
  /** With seconds, where things follow each other quickly. */
  precise?: boolean;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A point in time as words: `21 Nov 2026, 14:03 UTC`. The server does not know the reader's zone, so the zone is said.
 * Written by hand: `Intl.DateTimeFormat` was the slowest part of rendering a list.
 */
export function formatMoment(value: string, precise = false): string {
  const moment = new Date(value);
  const clock = moment.toISOString().slice(11, precise ? 19 : 16);
  return `${moment.getUTCDate()} ${months[moment.getUTCMonth()]} ${moment.getUTCFullYear()}, ${clock} UTC`;
}

/** How long ago: `12 s ago`, `5 min ago`, `3 h ago`, `9 days ago`. */
export function formatAgo(value: string, now: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(now) - Date.parse(value)) / 1_000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
}

/** A point in time, readable by machines too. */
export function Moment({ value, precise, ...rest }: MomentProps) {
  return (
    <time {...rest} dateTime={value}>
      {formatMoment(value, precise)}
    </time>
  );
}
