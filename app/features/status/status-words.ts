import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import { formatShare } from "~/features/trends/trend-words";
import type { Tone } from "~/ui/tone";

export const statusWords: Record<PublishedStatus["standing"], { tone: Tone; word: string; sentence: string }> = {
  operational: { tone: "success", word: "operational", sentence: "All systems work" },
  degraded: { tone: "warning", word: "degraded", sentence: "Some checks fail" },
  down: { tone: "danger", word: "down", sentence: "It is down" },
  unknown: { tone: "neutral", word: "unknown", sentence: "Not checked yet" },
};

/** The state of a page in a sentence, without its end: of several components, how many have problems. */
export function headline({ standing, components }: Pick<PublishedStatus, "standing" | "components">): string {
  const troubled = components.filter((one) => one.standing === "degraded" || one.standing === "down").length;
  if (components.length < 2 || troubled === 0) return statusWords[standing].sentence;
  return `${troubled} of ${components.length} components ${troubled === 1 ? "has" : "have"} problems`;
}

/** The number of days with results: only these make an uptime. */
export const countMeasured = (days: readonly { share: number | null }[]): number =>
  days.filter(({ share }) => share !== null).length;

/** The rating of a day or a month: meeting its objective is good, or without one only 100 %. */
export function shareTone(share: number | null, { objective }: Pick<PublishedStatus, "objective">): Tone {
  if (share === null) return "neutral";
  if (share >= (objective ?? 100) / 100) return "success";
  return share >= 0.9 ? "warning" : "danger";
}

/** `98.4 % of checks passed` */
export function shareWords(share: number | null, { counts }: Pick<PublishedStatus, "counts">): string {
  if (share === null) return "Not checked";
  return `${formatShare(share)} of ${counts === "passRate" ? "checks passed" : "requests succeeded"}`;
}

/** An older state is shown with a warning: newer ones should have arrived. */
const oldMilliseconds = 3 * 60_000;

export function isOld({ asOf }: Pick<PublishedStatus, "asOf">, now: number): boolean {
  return now - Date.parse(asOf) > oldMilliseconds;
}
