import type { Trial } from "./editor-props.ts";

/** Larger answers are shown once and not carried along: the page would hold them twice. */
export const mostCarriedCharacters = 200_000;

/** What a page without script sends along so that the response stays in sight while rows are added; empty when it would be too much. */
export function writeTrial(trial: Trial | undefined): string {
  const text = trial ? JSON.stringify(trial.attempt) : "";
  return text.length > mostCarriedCharacters ? "" : text;
}
