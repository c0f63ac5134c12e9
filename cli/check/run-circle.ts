import { randomUUID } from "node:crypto";
import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import type { CirclePhase, MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { Circle } from "#contracts/test-registry/circles.ts";
import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import { generateOnce } from "#libraries/running/generated-once.ts";
import { noCookies, type OpenCapture, type TestResult } from "#libraries/running/test-to-run.ts";
import { setUpFailed } from "../../services/test-executioner/domain/cause.ts";
import { describeResult } from "../../services/test-executioner/domain/described-result.ts";
import { gaveValues, withNamesOfRow } from "../../services/test-executioner/domain/given-values.ts";
import { handsOn } from "../../services/test-executioner/domain/handing-on.ts";
import { toMembers } from "../../services/test-executioner/domain/members.ts";
import {
  type Explain,
  explainMissing,
  explainNothingToDo,
} from "../../services/test-executioner/domain/missing-capture.ts";
import { isFailure } from "../../services/test-executioner/domain/verdict.ts";
import { listCapturing } from "../capturing-members.ts";
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

interface Member {
  position: number;
  phase: CirclePhase;
  testId: string;
  test: TestInput;
  effect: MemberEffect | undefined;
  rowIndex: number | null;
  ended?: Ended & Pick<TestResult, "statusCode">;
}

/**
 * Runs a circle as the portal does: set-up first, tear-down last and always; its members change only what the run made.
 * @throws what the signal was aborted with
 */
export async function runCircle(circle: CircleToRun, options: CircleOptions): Promise<void> {
  await new CircleRun(circle, options).run();
}

class CircleRun {
  readonly #members: Member[];
  readonly #captures = new Map<string, OpenCapture>();
  readonly #fixed: Record<string, string> = {};
  #cookies: string | undefined;
  #failedSetUp: Member | undefined;

  constructor(
    private readonly circle: CircleToRun,
    private readonly options: CircleOptions,
  ) {
    const ids = new Map(circle.steps.map(({ test }) => [test, randomUUID()]));
    const all = circle.steps.flatMap(({ test, phase, effect }) =>
      toMembers(test as Test, phase, effect).map(({ rowIndex }) => ({
        ...{ phase, test, effect, rowIndex, testId: ids.get(test)! },
      })),
    );
    const inOrder = (["setUp", "main", "tearDown"] as const).flatMap((phase) =>
      all.filter((one) => one.phase === phase),
    );
    this.#members = inOrder.map((one, index) => ({ ...one, position: index + 1 }));
    this.#cookies = circle.cookies ? noCookies : undefined;
    for (const { name, value: stored, secret } of circle.variables) {
      const value = stored ?? "";
      const generated = generateOnce(value, { now: () => new Date() });
      if (generated) this.#captures.set(name, { name, isSecret: secret === true, ...generated });
      else this.#fixed[name] = value;
    }
  }

  async run(): Promise<void> {
    const inPhase = (phase: CirclePhase) => this.#members.filter((one) => one.phase === phase);
    const concurrency = this.circle.order === "parallel" ? this.options.concurrency : 1;
    for (const member of inPhase("setUp")) await this.#runOrSkip(member);
    const main = inPhase("main").values();
    // Each takes the next one that waits.
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const member of main) await this.#runOrSkip(member);
      }),
    );
    for (const member of inPhase("tearDown")) await this.#runMember(member);
  }

  async #runOrSkip(member: Member): Promise<void> {
    if (!this.#failedSetUp) return await this.#runMember(member);
    const { position, test, ended } = this.#failedSetUp;
    const cause = setUpFailed({ position, testName: test.name, verdict: ended!.verdict });
    const result: TestResult = {
      ...{ verdict: "skipped", cause, attempts: [], attemptCount: 0, verifications: [], captures: [] },
      ...{ statusCode: null, responseMilliseconds: null, sendingMilliseconds: null, finishedAt: new Date() },
    };
    this.#end(member, new Date(), result);
  }

  async #runMember(member: Member): Promise<void> {
    const { test, rowIndex, effect, phase, position } = member;
    const startedAt = new Date();
    const own = { position, order: this.circle.order };
    const explain: Explain = async (names, say) =>
      names.map((name) => say(name, own, listCapturing(this.#members, name)));
    const result = await this.options.runOne(
      {
        test: withNamesOfRow(test, rowIndex),
        id: member.testId,
        captures: [...this.#captures.values()],
        ...(rowIndex === null ? {} : { row: test.data?.[rowIndex] ?? {} }),
        ...(this.#cookies === undefined ? {} : { cookies: this.#cookies }),
        variables: this.#fixed,
        onlyOwn: effect ? { effect } : {},
        explainMissing: async (names) => (await explain(names, explainMissing)).join(" "),
        explainNothingToDo: (missing) => explainNothingToDo(missing, phase, explain),
      },
      this.options.signal,
    );
    if (handsOn(own, phase)) {
      for (const capture of result.captures) this.#captures.set(capture.name, capture);
      if (this.#cookies !== undefined) this.#cookies = result.cookies ?? this.#cookies;
    }
    if (phase === "setUp" && isFailure(result.verdict) && !gaveValues(test, result)) this.#failedSetUp ??= member;
    this.#end(member, startedAt, result);
  }

  #end(member: Member, startedAt: Date, result: TestResult): void {
    const { position, phase, test, testId, rowIndex } = member;
    const { verdict } = result;
    const reason = describeResult(test, result);
    const { name: circle } = this.circle;
    const ended = { circle, position, phase, testId, test, rowIndex, verdict, reason, startedAt, result };
    member.ended = { ...ended, statusCode: result.statusCode };
    this.options.onEnded(ended);
  }
}
