import type { Trial } from "./editor-props.ts";

/** A larger response is shown once and not carried in the form: the page would contain it twice. */
export const mostCarriedCharacters = 200_000;

/**
 * Hidden field of a page without script that keeps the response visible while rows are added; empty when it is too
 * large.
 */
export function writeTrial(trial: Trial | undefined): string {
  const text = trial ? JSON.stringify(trial.attempt) : "";
  return text.length > mostCarriedCharacters ? "" : text;
}
