import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import type { PlaceRule } from "#contracts/test-registry/circle-places.ts";
import { isFailure, verdictRanks } from "../verdict.ts";
import { isReached, type PlaceId } from "./judged-places.ts";

/** Several places of a run, and when one of its tests fails. */
export interface RunPlaces extends PlaceRule {
  ids: PlaceId[];
  /** The only one of this run, by its index. */
  turn?: number | undefined;
}

/** The worst result of a test in a run from one place; none for a place where it was not run. */
export interface PlacedResult {
  runId: string;
  placeId: PlaceId;
  verdict: ExecutionVerdict;
  at: Date;
}

/** How a place sees a test. */
export interface SeenFrom {
  placeId: PlaceId;
  state: "failing" | "passing" | "notRun";
  /** Of one that sees it failing: the first result since it last passed there. */
  since: Date | null;
}

/** What a test's results in one run come to. */
export interface JudgedResult<Result extends PlacedResult> {
  /** The one that decides: the worst failing one if the test fails. */
  result: Result;
  hasFailed: boolean;
  /** Undefined for a run from one place. */
  places: SeenFrom[] | undefined;
}

const worst = <Result extends PlacedResult>(results: readonly Result[]): Result | undefined =>
  results.reduce<Result | undefined>(
    (one, other) => (one && verdictRanks[one.verdict] >= verdictRanks[other.verdict] ? one : other),
    undefined,
  );

/**
 * A test's results by run, judged by the rule of each run's places. Where places take turns, the last result of each of
 * them counts: what fails from one does not recover by passing from the next.
 * @param results oldest first
 */
export function judgeHistory<Result extends PlacedResult>(
  results: readonly Result[],
  findPlaces: (runId: string) => RunPlaces | undefined,
): JudgedResult<Result>[] {
  const since = new Map<PlaceId, Date>();
  const last = new Map<PlaceId, Result>();
  const byRun = new Map<string, Result[]>();
  for (const result of results) byRun.set(result.runId, [...(byRun.get(result.runId) ?? []), result]);
  return [...byRun].flatMap(([runId, own]): JudgedResult<Result>[] => {
    for (const result of own) {
      last.set(result.placeId, result);
      if (!isFailure(result.verdict)) since.delete(result.placeId);
      else if (!since.has(result.placeId)) since.set(result.placeId, result.at);
    }
    const places = findPlaces(runId);
    if (!places) {
      const result = worst(own)!;
      return [{ result, hasFailed: isFailure(result.verdict), places: undefined }];
    }
    const isInTurn = places.turn !== undefined;
    const counting = isInTurn ? places.ids.flatMap((id) => last.get(id) ?? []) : own;
    const failing = counting.filter(({ verdict }) => isFailure(verdict));
    const rule = isInTurn ? { rule: "any" as const } : places;
    const hasFailed = isReached(rule, failing.length, counting.length);
    const seen = places.ids.map((placeId): SeenFrom => {
      const found = counting.find((one) => one.placeId === placeId);
      if (!found) return { placeId, state: "notRun", since: null };
      const state = isFailure(found.verdict) ? "failing" : "passing";
      return { placeId, state, since: state === "failing" ? (since.get(placeId) ?? null) : null };
    });
    const good = own.find(({ verdict }) => !isFailure(verdict)) ?? own[0]!;
    return [{ result: hasFailed ? worst(failing)! : good, hasFailed, places: seen }];
  });
}

/** How the tests of a run did from one place. */
export interface PlaceFigures {
  placeId: PlaceId;
  /** Tests with a verdict there. */
  answered: number;
  failing: number;
  /** Different hosts that they failed with. */
  hosts: number;
}

const severalHosts = 2;

/** Places whose own trouble it is: all tests fail there, with several hosts, while another place sees none fail. */
export function findTroubledPlaces(figures: readonly PlaceFigures[]): PlaceId[] {
  const isTroubled = ({ answered, failing, hosts }: PlaceFigures) =>
    answered > 1 && failing === answered && hosts >= severalHosts;
  const isFine = figures.some(({ answered, failing }) => answered > 0 && failing === 0);
  return isFine ? figures.filter(isTroubled).map(({ placeId }) => placeId) : [];
}

/** The troubled place that alone makes a test fail; undefined if it fails without it, too. */
export function getTrouble(
  rule: PlaceRule,
  places: readonly SeenFrom[],
  troubled: readonly PlaceId[],
): SeenFrom | undefined {
  const others = places.filter(({ placeId, state }) => state !== "notRun" && !troubled.includes(placeId));
  const failing = others.filter(({ state }) => state === "failing").length;
  if (failing > 0 && isReached(rule, failing, others.length)) return undefined;
  return places.find(({ placeId, state }) => state === "failing" && troubled.includes(placeId));
}
