import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import { startTarget } from "./target.ts";

/** A planned member; its request goes to `/<circle>/<index>`. */
export interface PlannedMember {
  phase: CirclePhase;
  fails: boolean;
  milliseconds: number;
}

export interface PlannedCircle {
  /** In the order of the run. */
  members: PlannedMember[];
  order: "sequential" | "parallel";
  concurrency: number;
  stopOnFailure: boolean;
}

interface Logged {
  index: number;
  what: "begins" | "ends";
}

/** An API that answers circles' requests as planned and logs when each began and ended. */
export async function startCircleTarget() {
  const circles = new Map<string, { plan: PlannedCircle; log: Logged[] }>();
  const target = await startTarget(async (request, response) => {
    const [, name = "", index = ""] = request.url!.split("/");
    const circle = circles.get(name)!;
    const { fails, milliseconds } = circle.plan.members[Number(index)]!;
    circle.log.push({ index: Number(index), what: "begins" });
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    circle.log.push({ index: Number(index), what: "ends" });
    response.writeHead(fails ? 500 : 200).end("{}");
  });
  return {
    target,
    /** @returns its log, which grows */
    plan(name: string, plan: PlannedCircle): Logged[] {
      const log: Logged[] = [];
      circles.set(name, { plan, log });
      return log;
    },
  };
}

/**
 * Violations of the rules of circles in a log, in words. A request sent by a killed worker may be repeated; it belongs
 * to the same member.
 */
export function findBreaches({ members, order, concurrency, stopOnFailure }: PlannedCircle, log: Logged[]): string[] {
  const breaches: string[] = [];
  const active = new Set<number>();
  const ended = new Set<number>();
  const hasFailed = (phase: CirclePhase) =>
    members.some((member, index) => member.phase === phase && member.fails && ended.has(index));
  const areAllEnded = (phase: CirclePhase, before: number) =>
    members.every((member, index) => member.phase !== phase || index >= before || ended.has(index));
  for (const { index, what } of log) {
    if (what === "ends") {
      active.delete(index);
      ended.add(index);
      continue;
    }
    const { phase } = members[index]!;
    const others = [...active].filter((one) => one !== index);
    const say = (breach: string) => breaches.push(`${phase} ${index} began ${breach}`);
    const atOnce = phase === "main" && order === "parallel" ? concurrency : 1;
    if (others.length >= atOnce) say(`beside ${others.join(", ")}`);
    if (others.some((one) => members[one]!.phase !== phase)) say("beside another phase");
    if (phase !== "tearDown" && !areAllEnded("setUp", index)) say("before set-up had ended");
    if (phase !== "tearDown" && hasFailed("setUp") && !ended.has(index)) say("after set-up had failed");
    if (phase === "main" && order === "sequential" && !areAllEnded("main", index)) say("before its turn");
    if (phase === "main" && order === "sequential" && stopOnFailure && hasFailed("main") && !ended.has(index)) {
      say("after the circle had stopped");
    }
    if (phase === "tearDown" && !areAllEnded("tearDown", index)) say("before its turn");
    if (phase !== "tearDown" && [...ended, ...others].some((one) => members[one]!.phase === "tearDown")) {
      say("after tear-down");
    }
    active.add(index);
  }
  return breaches;
}
