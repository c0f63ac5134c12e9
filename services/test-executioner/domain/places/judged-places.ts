import type { ExecutionVerdict, Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { PlaceRule } from "#contracts/test-registry/circle-places.ts";
import { isFailure, worstVerdict } from "../verdict.ts";

/** Where a test was sent from; null: the portal itself. */
export type PlaceId = string | null;

/** The worst of a test's executions from one place; null if it was cancelled there. */
export interface PlaceOutcome {
  placeId: PlaceId;
  verdict: ExecutionVerdict | null;
}

/** `notRun`: no agent called there, or the test was skipped or cancelled. */
export type PlaceState = "failing" | "passing" | "notRun";

export function getPlaceState({ verdict }: Pick<PlaceOutcome, "verdict">): PlaceState {
  if (verdict === null || verdict === "skipped") return "notRun";
  return isFailure(verdict) ? "failing" : "passing";
}

/**
 * Whether so many failing places make a test fail. Silence is neither a failure nor a confirmation: of places that did
 * not answer, none counts as failing, and where all have to fail, one answer alone is not enough.
 * @param answered places that gave a verdict, failing ones included
 */
export function isReached({ rule, minimum = 1 }: PlaceRule, failing: number, answered: number): boolean {
  if (failing === 0) return false;
  if (rule === "all") return failing === answered && answered > 1;
  return failing >= (rule === "atLeast" ? minimum : 1);
}

/**
 * The verdict of one test from several places: the worst of them if as many fail as its circle's rule says, `regional`
 * if fewer do, and the worst of the others if none does. Null if it was cancelled everywhere.
 */
export function judgePlaces(rule: PlaceRule, outcomes: readonly PlaceOutcome[]): Verdict | null {
  const answered = outcomes.filter((outcome) => getPlaceState(outcome) !== "notRun");
  const failing = answered.filter((outcome) => getPlaceState(outcome) === "failing");
  if (failing.length === 0)
    return worstVerdict((answered.length > 0 ? answered : outcomes).map(({ verdict }) => verdict));
  return isReached(rule, failing.length, answered.length)
    ? worstVerdict(failing.map(({ verdict }) => verdict))
    : "regional";
}

/** An ended execution of a run from several places. */
export interface PlacedExecution extends PlaceOutcome {
  testId: string;
}

/** By test: the worst of its executions at each place. */
export function groupByPlace<One extends PlacedExecution>(executions: readonly One[]): Map<string, PlaceOutcome[]> {
  const byTest = new Map<string, Map<PlaceId, PlaceOutcome>>();
  for (const { testId, placeId, verdict } of executions) {
    const places = byTest.get(testId) ?? new Map<PlaceId, PlaceOutcome>();
    byTest.set(testId, places);
    const worst = worstVerdict([places.get(placeId)?.verdict ?? null, verdict]) as ExecutionVerdict | null;
    places.set(placeId, { placeId, verdict: worst });
  }
  return new Map([...byTest].map(([testId, places]) => [testId, [...places.values()]]));
}

/** The next place of a circle that is sent from its places in turn. */
export function getNextTurn(last: number | undefined, places: number): number {
  return last === undefined ? 0 : (last + 1) % places;
}

/** Which of the places' series of members one belongs to, from 0. @param seriesSize null: there is one place */
export function getSeries(position: number, seriesSize: number | null | undefined): number {
  return seriesSize ? Math.floor((position - 1) / seriesSize) : 0;
}

/** The position of a member among those of its place, from 1. */
export function getPositionInSeries(position: number, seriesSize: number | null | undefined): number {
  return seriesSize ? ((position - 1) % seriesSize) + 1 : position;
}
