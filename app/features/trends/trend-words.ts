import type { TrendRange } from "#contracts/test-analyzer/trends.ts";
import { writeLocal } from "#libraries/time-zone/wall-clock.ts";

export const rangeWords: Record<TrendRange, string> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};

/** What a point of a range covers. */
export const stepNames: Record<TrendRange, string> = {
  "24h": "hour",
  "7d": "quarter of a day",
  "30d": "day",
  "90d": "day",
};

/**
 * A share from 0 to 1 as per cent, with enough decimals to distinguish it from all and from none: `98.4 %`, `99.97 %`,
 * and `100 %` only for all.
 */
export function formatShare(share: number | null): string {
  if (share === null) return "–";
  if (share === 0 || share === 1) return `${share * 100} %`;
  const percent = share * 100;
  const decimals = percent > 99 || percent < 1 ? 2 : 1;
  const unit = 10 ** -decimals;
  const displayed = Math.min(100 - unit, Math.max(unit, percent));
  return `${displayed.toFixed(decimals)} %`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface StepWords {
  /** `10 Mar, 14:00` for hours, `10 Mar` for days. */
  label: string;
  /** Short form for narrow columns. */
  tick: string;
}

/** Label of a step of a range, in the zone's time. */
export function stepWords(from: string, range: TrendRange, timeZone: string): StepWords {
  const local = writeLocal(timeZone, Date.parse(from));
  const day = `${Number(local.slice(8, 10))} ${months[Number(local.slice(5, 7)) - 1]}`;
  const time = local.slice(11, 16);
  if (range === "24h") return { label: `${day}, ${time}`, tick: time };
  return { label: range === "7d" ? `${day}, ${time}` : day, tick: day };
}

/** `29 Nov, 13:00–14:00` for hours, `29 Nov` for days; the last step, which lasts until now, by its start. */
export function spanWords(from: string, to: string | undefined, range: TrendRange, timeZone: string): string {
  const { label } = stepWords(from, range, timeZone);
  if (range !== "24h" && range !== "7d") return label;
  return to ? `${label}–${writeLocal(timeZone, Date.parse(to)).slice(11, 16)}` : `${label} until now`;
}
