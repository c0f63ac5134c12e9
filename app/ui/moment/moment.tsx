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

/** A point in time, readable by machines too. */
export function Moment({ value, precise, ...rest }: MomentProps) {
  return (
    <time {...rest} dateTime={value}>
      {formatMoment(value, precise)}
    </time>
  );
}
