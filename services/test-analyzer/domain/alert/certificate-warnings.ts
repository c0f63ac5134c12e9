/** Days before the expiry of a certificate at which a warning is sent, once each. */
const warningDays = [30, 14, 3] as const;
const day = 24 * 60 * 60 * 1_000;

export interface Warned {
  validTo: Date;
  /** Days of the last warning for this expiry; null before the first. */
  warnedDays: number | null;
}

function toMoment(days: number, validTo: Date): Date {
  return new Date(validTo.getTime() - days * day);
}

/** When the next warning is due; undefined after the last one. */
export function nextWarning({ validTo, warnedDays }: Warned): Date | undefined {
  const days = warningDays.find((days) => warnedDays === null || days < warnedDays);
  return days === undefined ? undefined : toMoment(days, validTo);
}

/**
 * The warning that is due; undefined when none is, or after the expiry: tests then fail and report it. Of several
 * missed warnings only the last is sent.
 */
export function dueWarning({ validTo, warnedDays }: Warned, now: Date): number | undefined {
  if (now >= validTo) return undefined;
  const days = warningDays.findLast((days) => now >= toMoment(days, validTo));
  return days !== undefined && (warnedDays === null || days < warnedDays) ? days : undefined;
}

export function daysUntil(validTo: Date, now: Date): number {
  return Math.floor((validTo.getTime() - now.getTime()) / day);
}

/** A certificate matters when a test has reached its host since this time: 31 days, so that monthly tests count. */
export function seenSince(now: Date): Date {
  return new Date(now.getTime() - 31 * day);
}
