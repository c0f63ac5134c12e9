import type { ComponentPropsWithoutRef } from "react";

export interface MomentProps extends Omit<ComponentPropsWithoutRef<"time">, "dateTime" | "children"> {
  /** RFC 3339. */
  value: string;
  /** With seconds, where things follow each other quickly. */
  precise?: boolean;
}

const short = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" } as const;
const format = new Intl.DateTimeFormat("en-GB", { ...short, timeZone: "UTC" });
const preciseFormat = new Intl.DateTimeFormat("en-GB", { ...short, second: "2-digit", timeZone: "UTC" });

/** A point in time as words: `21 Nov 2026, 14:03 UTC`. The server does not know the reader's zone, so the zone is said. */
export function formatMoment(value: string, precise = false): string {
  return `${(precise ? preciseFormat : format).format(new Date(value))} UTC`;
}

/** A point in time, readable by machines too. */
export function Moment({ value, precise, ...rest }: MomentProps) {
  return (
    <time {...rest} dateTime={value}>
      {formatMoment(value, precise)}
    </time>
  );
}
