import type { PlannedCircle } from "#contracts/test-executioner/agent-plans.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { TestResult, TestToRun } from "#libraries/running/test-to-run.ts";
import { describeResult } from "../../services/test-executioner/domain/described-result.ts";
import { gaveValues } from "../../services/test-executioner/domain/given-values.ts";
import { handsOn } from "../../services/test-executioner/domain/handing-on.ts";
import {
  type Explain,
  explainMissing,
  explainNothingToDo,
} from "../../services/test-executioner/domain/missing-capture.ts";
import { isFailure } from "../../services/test-executioner/domain/verdict.ts";
import { listCapturing, type RunMember } from "../capturing-members.ts";
import { type Carried, replaceCaptures } from "./task.ts";

type PlannedTask = PlannedCircle["members"][number];

export interface PlannedMember extends RunMember {
  task: PlannedTask;
}

/** What a member takes from its run: values of members before it, and why some are missing. */
export interface OfRun extends Pick<TestToRun, "explainMissing" | "explainNothingToDo"> {
  carried: Carried;
}

/** Undefined ends the run: it was interrupted, or there is no capacity for the result. */
export type RunMemberOnce = (member: PlannedMember, ofRun: OfRun) => Promise<TestResult | undefined>;

const phases: readonly CirclePhase[] = ["setUp", "main", "tearDown"];

/**
 * Runs a circle without the portal and as it would: set-up first, tear-down last and whatever failed. Members that a
 * failure ends have no result; the portal skips them when it gets those of the others.
 * @param concurrency of a parallel circle without its own
 */
export async function runPlanned(circle: PlannedCircle, concurrency: number, runOnce: RunMemberOnce): Promise<void> {
  const { order, stopOnFailure } = circle;
  const members = circle.members.map(
    (task, index): PlannedMember => ({ task, test: task.test, position: index + 1, phase: task.phase ?? "main" }),
  );
  const carried: Carried = { captures: [] };
  let isOver = false;
  let hasFailed = false;

  async function run(member: PlannedMember): Promise<void> {
    const { phase, position, task } = member;
    const own = { position, order };
    const explain: Explain = async (names, say) => names.map((name) => say(name, own, listCapturing(members, name)));
    const result = await runOnce(member, {
      carried,
      explainMissing: async (names) => (await explain(names, explainMissing)).join(" "),
      explainNothingToDo: (missing) => explainNothingToDo(missing, phase, explain),
    });
    if (!result) {
      isOver = true;
      return;
    }
    const { verdict, statusCode } = result;
    member.ended = { verdict, statusCode, reason: describeResult(task.test, result) };
    if (handsOn(circle, phase)) {
      carried.captures = replaceCaptures(carried.captures, result.captures);
      carried.cookies = result.cookies ?? carried.cookies;
    }
    const endsOthers = stopOnFailure || (phase === "setUp" && !gaveValues(task.test, result));
    if (phase !== "tearDown" && isFailure(verdict) && endsOthers) hasFailed = true;
  }

  for (const phase of phases) {
    const waiting = members.filter((member) => member.phase === phase);
    const isTogether = phase === "main" && order === "parallel";
    const together = isTogether ? Math.min(circle.concurrency ?? concurrency, waiting.length) : 1;
    const next = waiting.values();
    const takeTurns = async () => {
      for (const member of next) {
        if (isOver || (hasFailed && phase !== "tearDown")) return;
        await run(member);
      }
    };
    await Promise.all(Array.from({ length: together }, takeTurns));
  }
}
