/** Days before its end at which a certificate is warned of, once each. */
const warningDays = [30, 14, 3] as const;
const day = 24 * 60 * 60 * 1_000;

export interface Warned {
  validTo: Date;
  /** Days of the last warning of this end; null before the first. */
  warnedDays: number | null;
}

function momentOf(days: number, validTo: Date): Date {
  return new Date(validTo.getTime() - days * day);
}

/** When it is to be warned of next; undefined after the last time. */
export function nextWarning({ validTo, warnedDays }: Warned): Date | undefined {
  const days = warningDays.find((days) => warnedDays === null || days < warnedDays);
  return days === undefined ? undefined : momentOf(days, validTo);
}

/**
 * The warning that is due; undefined where none is, or it has ended: then tests fail and say so. Of those whose time
 * went by unseen the last stands for all.
 */
export function dueWarning({ validTo, warnedDays }: Warned, now: Date): number | undefined {
  if (now >= validTo) return undefined;
  const days = warningDays.findLast((days) => now >= momentOf(days, validTo));
  return days !== undefined && (warnedDays === null || days < warnedDays) ? days : undefined;
}

export function daysUntil(validTo: Date, now: Date): number {
  return Math.floor((validTo.getTime() - now.getTime()) / day);
}

/** Since when a test must have reached a host for its certificate to matter: who tests monthly is warned, too. */
export function seenSince(now: Date): Date {
  return new Date(now.getTime() - 31 * day);
}
