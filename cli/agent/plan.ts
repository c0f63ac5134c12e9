import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentPlan, PlannedCircle } from "#contracts/test-executioner/agent-plans.ts";
import { createCheck } from "./checked.ts";

/** A schedule that this agent starts while the portal is away. */
export interface HeldSchedule {
  scheduleId: string;
  testCircleId: string;
  /** In order. */
  moments: string[];
  tag: string;
  circle: PlannedCircle;
}

interface HeldPlan {
  schedules: HeldSchedule[];
  operations: Record<string, unknown>;
}

const text = { type: "string" };
const id = { type: "string", pattern: "^[0-9a-f-]{36}$" };
const list = (items: object) => ({ type: "array", items });
const tested = { type: "object", properties: { id, version: { type: "integer" } }, required: ["id", "version"] };
const circle = {
  type: "object",
  properties: {
    order: { enum: ["sequential", "parallel"] },
    concurrency: { type: ["integer", "null"] },
    stopOnFailure: { type: "boolean" },
    generated: list({ type: "object", properties: { name: text, text }, required: ["name", "text"] }),
    members: list({
      type: "object",
      properties: { executionId: id, test: tested, phase: { enum: ["setUp", "main", "tearDown"] } },
      required: ["executionId", "test"],
    }),
  },
  required: ["order", "stopOnFailure", "generated", "members"],
};
const shape = {
  type: "object",
  properties: {
    schedules: list({
      type: "object",
      properties: { scheduleId: id, testCircleId: id, moments: list(text), tag: text, circle },
      required: ["scheduleId", "testCircleId", "moments", "tag"],
    }),
    operations: { type: "object" },
  },
  required: ["schedules", "operations"],
};
/** Tasks are checked when they are run, as those that come one by one. */
const checkPlan = createCheck<AgentPlan>("The plan", shape);

/** What this agent starts while the portal is away, stored in a file to survive restarts. */
export class Plan {
  #held: HeldPlan = { schedules: [], operations: {} };

  constructor(private readonly folder: string) {}

  get #path(): string {
    return join(this.folder, "plan.json");
  }

  /** Reads the plan of the previous process; empty if it is unreadable. */
  async load(): Promise<void> {
    try {
      const { schedules, operations } = checkPlan(JSON.parse(await readFile(this.#path, "utf8")));
      this.#held = { schedules: schedules.filter(hasCircle), operations };
    } catch {
      this.#held = { schedules: [], operations: {} };
    }
  }

  listKnown(): { scheduleId: string; tag: string }[] {
    return this.#held.schedules.map(({ scheduleId, tag }) => ({ scheduleId, tag }));
  }

  get operations(): Record<string, unknown> {
    return this.#held.operations;
  }

  get size(): number {
    return this.#held.schedules.length;
  }

  /** Replaces it; circles that were not sent again stay. @throws Error if it is not a plan */
  async replace(given: unknown): Promise<void> {
    const { schedules, operations } = checkPlan(given);
    const before = new Map(
      this.#held.schedules.map((schedule) => [`${schedule.scheduleId} ${schedule.tag}`, schedule]),
    );
    const held = schedules.flatMap((schedule) => {
      const known = schedule.circle ?? before.get(`${schedule.scheduleId} ${schedule.tag}`)?.circle;
      return known ? [{ ...schedule, circle: known }] : [];
    });
    const used = new Set(held.flatMap(({ circle: { members } }) => members.map(({ operation }) => operation)));
    const all = Object.entries({ ...this.#held.operations, ...operations });
    this.#held = { schedules: held, operations: Object.fromEntries(all.filter(([key]) => used.has(key))) };
    await this.#store();
  }

  /** Due times until then, each once. Of several of one schedule, only the last can start. */
  takeDue(until: number): { schedule: HeldSchedule; scheduledFor: string }[] {
    return this.#held.schedules.flatMap((schedule) => {
      const due = schedule.moments.filter((moment) => Date.parse(moment) <= until);
      const last = due.at(-1);
      if (last === undefined) return [];
      schedule.moments = schedule.moments.slice(due.length);
      return [{ schedule, scheduledFor: last }];
    });
  }

  async #store(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(`${this.#path}.new`, JSON.stringify(this.#held), { mode: 0o600 });
    await rename(`${this.#path}.new`, this.#path);
  }
}

function hasCircle(schedule: AgentPlan["schedules"][number]): schedule is HeldSchedule {
  return schedule.circle !== undefined;
}
