import type { DueTime } from "#contracts/test-executioner/agent-plans.ts";
import { generateOnce } from "#libraries/running/generated-once.ts";
import { Interrupted } from "#libraries/running/pause.ts";
import { runTest } from "#libraries/running/run-test.ts";
import type { OpenCapture, TestResult } from "#libraries/running/test-to-run.ts";
import { type OfRun, type RunMember, runMembers } from "../run-members.ts";
import type { HeldOccurrences } from "./held-occurrences.ts";
import type { HeldSchedule, Plan } from "./plan.ts";
import type { AgentCalls } from "./portal-calls.ts";
import { Slots } from "./slots.ts";
import { openTask } from "./task.ts";
import { failed, isBlocked, type RunnerParts, toAgentResult } from "./task-runner.ts";

export interface StarterParts extends Omit<RunnerParts, "onResult"> {
  calls: Pick<AgentCalls, "now" | "answeredAt">;
  plan: Plan;
  held: HeldOccurrences;
  concurrency: number;
  /** How long after a due time the portal may be silent before the agent starts it. */
  startAfterMilliseconds: number;
}

const tickMilliseconds = 1_000;
/** A portal that responded this long after a due time has started it itself. */
const portalMilliseconds = 2_000;

interface PlannedMember extends RunMember {
  task: HeldSchedule["circle"]["members"][number];
}

/** Starts the occurrences of its plan while the portal is away. */
export class OccurrenceStarter {
  readonly #running = new Map<string, DueTime>();
  readonly #stop = new AbortController();
  readonly #slots: Slots;
  readonly #since: number;
  #work: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Requests that the agent's own list of targets refused. */
  blocked = 0;

  constructor(private readonly parts: StarterParts) {
    this.#slots = new Slots(parts.concurrency);
    // Due times from before it was started are those of its process before.
    this.#since = parts.calls.now().getTime();
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), tickMilliseconds);
  }

  /** No more starts. */
  end(): void {
    clearInterval(this.#timer);
  }

  /** Those that run, by circle. */
  list(): DueTime[] {
    return [...this.#running.values()];
  }

  /** Resolves when nothing runs any more. */
  async whenIdle(): Promise<void> {
    await this.#work;
  }

  async interrupt(): Promise<void> {
    this.end();
    this.#stop.abort();
    await this.#work;
  }

  /** Starts what is overdue while the portal has not responded. */
  tick(): void {
    const { calls, plan, held, log, startAfterMilliseconds } = this.parts;
    for (const { schedule, scheduledFor } of plan.takeDue(calls.now().getTime() - startAfterMilliseconds)) {
      const dueTime = { scheduleId: schedule.scheduleId, scheduledFor };
      const due = Date.parse(scheduledFor);
      if (calls.answeredAt >= due + portalMilliseconds || due < this.#since || held.has(dueTime)) continue;
      if (this.#running.has(schedule.testCircleId)) {
        log.warn("a due time was left out: the run before it continues", dueTime);
        continue;
      }
      log.info("started without the portal", dueTime);
      this.#running.set(schedule.testCircleId, dueTime);
      const run = this.#runCircle(schedule, dueTime).finally(() => this.#running.delete(schedule.testCircleId));
      this.#work = Promise.all([this.#work, run]);
    }
  }

  async #runCircle({ circle }: HeldSchedule, dueTime: DueTime): Promise<void> {
    const { order, stopOnFailure, concurrency } = circle;
    const { clock } = this.parts.shared;
    const captures: OpenCapture[] = circle.generated.flatMap(({ name, text }) => {
      const generated = generateOnce(text, clock);
      return generated ? [{ name, isSecret: false, ...generated }] : [];
    });
    const generated = captures.map(({ name, value }) => ({ name, value }));
    const occurrence = { ...dueTime, members: circle.members.length, generated };
    const members = circle.members.map(
      (task, index): PlannedMember => ({
        ...{ task, test: task.test, rowIndex: null, position: index + 1, phase: task.phase ?? "main" },
      }),
    );
    // Members that a failure ends have no result: the portal skips them when it gets those of the others.
    await runMembers(members, {
      ...{ order, stopOnFailure, concurrency: concurrency ?? this.parts.concurrency, carried: { captures } },
      runOne: async (member, ofRun) => {
        if (this.#stop.signal.aborted) return undefined;
        return await this.#slots.use(() => this.#runMember(member, occurrence, ofRun));
      },
    });
  }

  /** Undefined if it was interrupted, or there is no capacity for its result. */
  async #runMember(
    { task, position }: PlannedMember,
    { generated, ...occurrence }: DueTime & { members: number; generated: { name: string; value: string }[] },
    { carried, ...explaining }: OfRun,
  ): Promise<TestResult | undefined> {
    const { shared, keys, secrets, plan, held, log } = this.parts;
    const { signal } = this.#stop;
    const startedAt = shared.clock.now();
    const hold = { executionId: task.executionId, fence: 0 };
    const run = async () => {
      try {
        const options = { keys, secrets, now: startedAt, carried };
        const { parts, test } = await openTask(task, plan.operations, shared, options);
        const result = await runTest(parts, { ...test, ...explaining }, { signal });
        if (isBlocked(result)) this.blocked += 1;
        return { result, reported: toAgentResult(hold, result) };
      } catch (error) {
        if (error instanceof Interrupted || signal.aborted) return undefined;
        const detail = "The agent could not run the test. Its log says why.";
        log.warn("a test could not be run", { position, ...occurrence, reason: (error as Error).message });
        const reported = failed(hold, detail, shared.clock.now());
        return { result: { ...reported, finishedAt: new Date(reported.finishedAt) }, reported };
      }
    };
    const ran = await run();
    if (!ran) return undefined;
    const { id: testId, version: testVersion } = task.test;
    if (await held.add(occurrence, { position, testId, testVersion, startedAt, result: ran.reported, generated }))
      return ran.result;
    log.warn("a result could not be stored, and is run again", { position, ...occurrence });
    return undefined;
  }
}
