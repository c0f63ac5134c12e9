import type { RunOrder } from "#contracts/test-executioner/runs.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { OpenCapture, TestResult, TestToRun } from "#libraries/running/test-to-run.ts";
import { listNamesInRows } from "#libraries/template/placeholders.ts";
import { describeResult } from "../services/test-executioner/domain/described-result.ts";
import { gaveValues, withNamesOfRow } from "../services/test-executioner/domain/given-values.ts";
import { handsOn } from "../services/test-executioner/domain/handing-on.ts";
import {
  type CapturingMember,
  type Explain,
  explainMissing,
  explainNothingToDo,
} from "../services/test-executioner/domain/missing-capture.ts";
import { isFailure } from "../services/test-executioner/domain/verdict.ts";

/** A member of a circle that runs without a portal. */
export interface RunMember {
  /** From 1, in the circle. */
  position: number;
  phase: CirclePhase;
  test: TestInput;
  /** Of its test's data, from 0. */
  rowIndex: number | null;
  /** Set when it has ended or been skipped. */
  ended?: Pick<CapturingMember, "verdict" | "reason" | "statusCode">;
}

/** What members before captured, and the run's cookies. */
export interface Carried {
  captures: OpenCapture[];
  cookies?: string | undefined;
}

/** What a member takes from its run: values of members before it, and why some are missing. */
export interface OfRun extends Required<Pick<TestToRun, "explainMissing" | "explainNothingToDo">> {
  carried: Carried;
}

export interface EndedMember {
  startedAt: Date;
  result: TestResult;
  /** Null for a plain pass. */
  reason: string | null;
}

export interface RunOptions<Member> {
  order: RunOrder;
  /** Members of a parallel circle that run at the same time. */
  concurrency: number;
  stopOnFailure?: boolean;
  /** What the first member takes; replaced as members end. */
  carried: Carried;
  /** Undefined ends the run: nothing else starts. */
  runOne(member: Member, ofRun: OfRun): Promise<TestResult | undefined>;
  onEnded?(member: Member, ended: EndedMember): void;
  /** A member that an earlier one's failure ends. */
  onSkipped?(member: Member, failed: Member): void;
}

const phases: readonly CirclePhase[] = ["setUp", "main", "tearDown"];

/** For the same name, the later one counts. */
export function replaceCaptures(before: readonly OpenCapture[], newer: readonly OpenCapture[]): OpenCapture[] {
  const names = new Set(newer.map(({ name }) => name));
  return [...before.filter(({ name }) => !names.has(name)), ...newer];
}

/** Runs a circle as the portal does: set-up first, tear-down last and whatever failed. */
export async function runMembers<Member extends RunMember>(
  members: readonly Member[],
  { order, concurrency, stopOnFailure, carried, runOne, onEnded, onSkipped }: RunOptions<Member>,
): Promise<void> {
  let isOver = false;
  let failed: Member | undefined;

  async function run(member: Member): Promise<void> {
    const { phase, position, test, rowIndex } = member;
    const own = { position, order };
    const explain: Explain = async (names, say) => names.map((name) => say(name, own, listCapturing(members, name)));
    const startedAt = new Date();
    const result = await runOne(member, {
      carried,
      explainMissing: async (names) => (await explain(names, explainMissing)).join(" "),
      explainNothingToDo: (missing) => explainNothingToDo(missing, phase, explain),
    });
    if (!result) {
      isOver = true;
      return;
    }
    const { verdict, statusCode } = result;
    const reason = describeResult(test, result);
    member.ended = { verdict, statusCode, reason };
    if (handsOn({ order }, phase)) {
      carried.captures = replaceCaptures(carried.captures, result.captures);
      carried.cookies = result.cookies ?? carried.cookies;
    }
    if (phase !== "tearDown" && isFailure(verdict)) {
      const hasValues = () => gaveValues(withNamesOfRow(test, rowIndex), result);
      if (stopOnFailure || (phase === "setUp" && !hasValues())) failed ??= member;
    }
    onEnded?.(member, { startedAt, result, reason });
  }

  for (const phase of phases) {
    const waiting = members.filter((member) => member.phase === phase);
    const together = phase === "main" && order === "parallel" ? Math.min(concurrency, waiting.length) : 1;
    const next = waiting.values();
    // Each takes the next one that waits.
    const takeTurns = async () => {
      for (const member of next) {
        if (isOver) return;
        if (!failed || phase === "tearDown") await run(member);
        else {
          member.ended = { verdict: "skipped", statusCode: null, reason: null };
          onSkipped?.(member, failed);
        }
      }
    };
    await Promise.all(Array.from({ length: together }, takeTurns));
  }
}

/** Those whose tests capture a name. */
function listCapturing(members: readonly RunMember[], name: string): CapturingMember[] {
  return members.flatMap(({ test, position, phase, ended }) => {
    const capture = test.captures.find((one) => listNamesInRows(one.name, test.data?.length ?? 0).includes(name));
    if (!capture) return [];
    const { name: testName, method, path } = test;
    const { verdict = null, reason = null, statusCode = null } = ended ?? {};
    const state = ended ? ("finished" as const) : ("queued" as const);
    const isOptional = capture.optional === true;
    return [{ position, phase, testName, method, path, isOptional, state, verdict, reason, statusCode }];
  });
}
