import type { ExecutionVerdict, Verdict } from "#contracts/test-executioner/verdicts.ts";
import { isAvailable } from "./availability.ts";
import type { PlaceId } from "./places/judged-places.ts";
import { toPlaceSubject } from "./places/place-subjects.ts";
import { type Histogram, toHistogram } from "./response-times.ts";

/** The part of a finished execution that counts and last verdicts need. */
export interface CountedExecution {
  id: string;
  organizationId: string;
  apiId: string;
  testId: string;
  /** For a whole run of a circle; a partial repetition does not count for the circle. */
  testCircleId: string | null;
  method: string;
  path: string;
  /** Row of the test's data, from 0; null without data. */
  rowIndex: number | null;
  verdict: ExecutionVerdict;
  /** Equal for the same test, document, environment and credential. */
  configuration: string;
  statusCode: number | null;
  /** For executions that could not be judged. */
  causeCode: string | null;
  responseMilliseconds: number | null;
  finishedAt: Date;
  /** Of a run from places: which one sent it. */
  place?: { id: PlaceId; isOneOfSeveral: boolean } | undefined;
}

/** What a result adds to a sum. A verdict of null: only its response time. */
export interface Addend {
  verdict: ExecutionVerdict | null;
  isUnsteady: boolean;
  /** Undefined if the API was not requested. */
  isAvailable: boolean | undefined;
  responseMilliseconds: number | null;
}

/** What an hour of a subject gets. */
export interface HourlyAddend extends Addend {
  organizationId: string;
  subjectId: string;
  finishedAt: Date;
}

export interface Count {
  verdicts: Record<ExecutionVerdict, number>;
  responseTimes: Histogram;
  /** How many passed only on a later attempt, or changed back without a change of configuration. */
  unsteady: number;
  /** How often the API was available when requested, and how often not. */
  available: number;
  unavailable: number;
}

/** All transactions lock several rows in the order of their keys, or two could wait for each other. */
export function groupInOrder<Item>(items: readonly Item[], toKey: (item: Item) => string): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = toKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}

/** In the order in which they ended. */
export const inOrderOfEnds = <One extends Pick<CountedExecution, "id" | "finishedAt">>(finished: readonly One[]) =>
  [...finished].sort(
    (one, other) => one.finishedAt.getTime() - other.finishedAt.getTime() || (one.id < other.id ? -1 : 1),
  );

export function count(addends: readonly Addend[]): Count {
  const counts: Record<ExecutionVerdict, number> = {
    passed: 0,
    failed: 0,
    errored: 0,
    flaky: 0,
    skipped: 0,
    blocked: 0,
  };
  for (const { verdict } of addends) if (verdict) counts[verdict] += 1;
  return {
    verdicts: counts,
    responseTimes: toHistogram(addends.flatMap(({ responseMilliseconds: time }) => (time === null ? [] : [time]))),
    unsteady: addends.filter(({ isUnsteady }) => isUnsteady).length,
    available: addends.filter(({ isAvailable: is }) => is === true).length,
    unavailable: addends.filter(({ isAvailable: is }) => is === false).length,
  };
}

export function toAddend(execution: CountedExecution, isUnsteady: boolean): Addend {
  const { verdict, responseMilliseconds } = execution;
  return { verdict, isUnsteady, isAvailable: isAvailable(execution), responseMilliseconds };
}

interface Counted {
  organizationId: string;
  apiId: string;
  testId: string;
  testCircleId: string | null;
}

const given = (ids: readonly (string | null)[]) => ids.filter((id) => id !== null);
const subjectsOf = ({ organizationId, apiId, testId, testCircleId }: Counted) =>
  given([organizationId, apiId, testId, testCircleId]);

/**
 * What executions add to the hours of their organization, API, test and circle. Of one from several places, these get the
 * response time only, since its test is judged with the run; each place has sums of its own.
 */
export function toHourlyAddends(
  executions: readonly CountedExecution[],
  isUnsteady: (id: string) => boolean,
): HourlyAddend[] {
  return executions.flatMap((execution) => {
    const { organizationId, testId, testCircleId, finishedAt, place } = execution;
    const addend = toAddend(execution, isUnsteady(execution.id));
    const onlyTime = { ...addend, verdict: null, isUnsteady: false, isAvailable: undefined };
    const isTimed = addend.responseMilliseconds !== null;
    const whole = place?.isOneOfSeveral ? (isTimed ? onlyTime : undefined) : addend;
    const ofPlace = place ? given([testId, testCircleId]).map((id) => toPlaceSubject(id, place.id)) : [];
    return [
      ...(whole ? subjectsOf(execution).map((subjectId) => ({ subjectId, ...whole })) : []),
      ...ofPlace.map((subjectId) => ({ subjectId, ...addend })),
    ].map((one) => ({ organizationId, finishedAt, ...one }));
  });
}

/** A member of a run from several places, judged by their rule. */
export interface JudgedMember extends Counted {
  finishedAt: Date;
  verdict: ExecutionVerdict;
  isAvailable: boolean | undefined;
}

/** Judged members count once, however many places sent them. */
export function toJudgedAddends(members: readonly JudgedMember[]): HourlyAddend[] {
  return members.flatMap((member) => {
    const { organizationId, finishedAt, verdict, isAvailable: isThere } = member;
    const addend = { verdict, isAvailable: isThere, isUnsteady: verdict === "flaky", responseMilliseconds: null };
    return subjectsOf(member).map((subjectId) => ({ organizationId, subjectId, finishedAt, ...addend }));
  });
}

/** Skipped and blocked executions did not run: they say nothing about whether the test ends the same way each time. */
export function hasRun({ verdict }: Pick<CountedExecution, "verdict">): boolean {
  return verdict !== "skipped" && verdict !== "blocked";
}

/** How the executions of one test (one row of its data) ended since its configuration last changed. */
export interface Outcomes {
  /** Null after a version that does not store it. */
  configuration: string | null;
  verdict: Verdict;
  hasPassed: boolean;
  hasFailed: boolean;
}

const isGood = (verdict: Verdict) => verdict === "passed" || verdict === "flaky";

/**
 * Among the executions of one test (one row of its data), in the order in which they ended: those that passed only on a
 * later attempt, and those that changed between passing and failing not for the first time with their configuration. A
 * single change is a mended or a broken test.
 */
export function findUnsteady(
  executions: readonly Pick<CountedExecution, "id" | "verdict" | "configuration">[],
  before: Outcomes | null,
): { unsteady: string[]; outcomes: Outcomes | null } {
  let outcomes = before;
  const unsteady = executions.flatMap(({ id, verdict, configuration }) => {
    const last = outcomes?.configuration === configuration ? outcomes : null;
    const returns = last?.hasPassed && last.hasFailed && isGood(last.verdict) !== isGood(verdict);
    outcomes = {
      ...{ configuration, verdict },
      hasPassed: isGood(verdict) || (last?.hasPassed ?? false),
      hasFailed: !isGood(verdict) || (last?.hasFailed ?? false),
    };
    return returns || verdict === "flaky" ? [id] : [];
  });
  return { unsteady, outcomes };
}
