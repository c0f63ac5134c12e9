import type { Recovery } from "#contracts/test-analyzer/recoveries.ts";
import { type FormatMoment, useFormatMoment } from "~/ui/moment/moment";

/** A moment without its date when that is today's. */
export function formatShort(value: string, now: string, format: FormatMoment): string {
  const [date, clock] = format(value).split(", ");
  return date === format(now).split(", ")[0] ? clock! : format(value);
}

/** Why a test that has passed still counts as failing, in a sentence; the same on every page. */
export function recoveryWords(
  { at, byHand, resolves, nextRunAt }: Recovery,
  now: string,
  format: FormatMoment,
): string {
  const passed = `Passed ${byHand ? "manually" : "in another run"} at ${formatShort(at, now, format)}`;
  if (resolves === "steady") return `${passed}; resolves after five passing results in a row.`;
  if (nextRunAt === null) return `${passed}; resolves with the next run where it failed.`;
  return `${passed}; resolves with the next scheduled run (${formatShort(nextRunAt, now, format)}).`;
}

export function RecoveryWords({ recovery, now }: { recovery: Recovery; now: string }) {
  return recoveryWords(recovery, now, useFormatMoment());
}
