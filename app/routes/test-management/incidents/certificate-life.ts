import { plural } from "~/ui/count/plural";
import type { Tone } from "~/ui/tone";

/** Remaining validity of a certificate, in words. */
export function getLifeWords(daysLeft: number): { words: string; tone: Tone } {
  if (daysLeft < 0) return { words: "Expired", tone: "danger" };
  const words = daysLeft === 0 ? "Within a day" : `In ${plural(daysLeft, "day")}`;
  return { words, tone: daysLeft <= 3 ? "danger" : daysLeft <= 30 ? "warning" : "success" };
}
