import { randomUUID } from "node:crypto";
import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import type { CirclePhase, MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { Circle } from "#contracts/test-registry/circles.ts";
import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import { generateOnce } from "#libraries/running/generated-once.ts";
import { noCookies, type OpenCapture, type TestResult } from "#libraries/running/test-to-run.ts";
import { setUpFailed } from "../../services/test-executioner/domain/cause.ts";
import { withNamesOfRow } from "../../services/test-executioner/domain/given-values.ts";
import { toMembers } from "../../services/test-executioner/domain/members.ts";
import { type EndedMember, type RunMember, runMembers } from "../run-members.ts";
import type { RunOne } from "./engine.ts";

/** A circle of tests as the plan makes it, or as a portal stores it. */
export interface CircleToRun extends Pick<Circle, "name" | "order" | "cookies" | "variables"> {
  steps: readonly { test: TestInput; phase: CirclePhase; effect?: MemberEffect | undefined }[];
}

/** A member that has ended. Secrets are replaced in it. */
export interface Ended {
  circle: string;
  /** From 1, in the circle. */
  position: number;
  phase: CirclePhase;
  testId: string;
  test: TestInput;
  /** Of its test's data, from 0. */
  rowIndex: number | null;
  verdict: ExecutionVerdict;
  reason: string | null;
  startedAt: Date;
  result: TestResult;
}

export interface CircleOptions {
  runOne: RunOne;
  signal: AbortSignal;
  /** Members of a parallel circle that run at the same time. */
  concurrency: number;
  onEnded(ended: Ended): void;
}

interface Member extends RunMember {
  testId: string;
  effect: MemberEffect | undefined;
}

/**
 * Runs a circle as the portal does: set-up first, tear-down last and always; its members change only what the run made.
 * @throws what the signal was aborted with
 */
export async function runCircle(circle: CircleToRun, options: CircleOptions): Promise<void> {
  const { runOne, signal, concurrency, onEnded } = options;
  const { captures, fixed: variables } = readVariables(circle);
  const report = ({ position, phase, testId, test, rowIndex }: Member, ended: EndedMember) =>
    onEnded({
      ...{ circle: circle.name, position, phase, testId, test, rowIndex },
      ...{ verdict: ended.result.verdict, ...ended },
    });
  await runMembers(listMembers(circle), {
    ...{ order: circle.order, concurrency, onEnded: report },
    carried: { captures, cookies: circle.cookies ? noCookies : undefined },
    runOne: ({ test, testId, rowIndex, effect }, { carried, ...explaining }) =>
      runOne(
        {
          ...{ test: withNamesOfRow(test, rowIndex), id: testId, captures: carried.captures, variables },
          ...(rowIndex === null ? {} : { row: test.data?.[rowIndex] ?? {} }),
          ...(carried.cookies === undefined ? {} : { cookies: carried.cookies }),
          ...{ onlyOwn: effect ? { effect } : {}, ...explaining },
        },
        signal,
      ),
    onSkipped: (member, failed) => report(member, skipAfter(failed)),
  });
}

function listMembers({ steps }: CircleToRun): Member[] {
  const ids = new Map(steps.map(({ test }) => [test, randomUUID()]));
  const all = steps.flatMap(({ test, phase, effect }) =>
    toMembers(test as Test, phase, effect).map(({ rowIndex }) => ({
      ...{ phase, test, effect, rowIndex, testId: ids.get(test)! },
    })),
  );
  const inOrder = (["setUp", "main", "tearDown"] as const).flatMap((phase) => all.filter((one) => one.phase === phase));
  return inOrder.map((one, index) => ({ ...one, position: index + 1 }));
}

function readVariables({ variables }: CircleToRun): { captures: OpenCapture[]; fixed: Record<string, string> } {
  const captures = new Map<string, OpenCapture>();
  const fixed: Record<string, string> = {};
  for (const { name, value: stored, secret } of variables) {
    const value = stored ?? "";
    const generated = generateOnce(value, { now: () => new Date() });
    if (generated) captures.set(name, { name, isSecret: secret === true, ...generated });
    else fixed[name] = value;
  }
  return { captures: [...captures.values()], fixed };
}

function skipAfter({ position, test, ended }: Member): EndedMember {
  const cause = setUpFailed({ position, testName: test.name, verdict: ended!.verdict! });
  const result: TestResult = {
    ...{ verdict: "skipped", cause, attempts: [], attemptCount: 0, verifications: [], captures: [] },
    ...{ statusCode: null, responseMilliseconds: null, sendingMilliseconds: null, finishedAt: new Date() },
  };
  return { startedAt: new Date(), result, reason: cause.detail };
}
