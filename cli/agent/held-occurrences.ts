import type { DueTime, ReportedOccurrence as Reported } from "#contracts/test-executioner/agent-plans.ts";
import type { AgentResult } from "#contracts/test-executioner/agent-work.ts";
import { BoundedFolder } from "./bounded-folder.ts";
import { writeResult } from "./result-sender.ts";

type Generated = Reported["generated"];
/** What its run generated is in the files. */
export type ReportedOccurrence = Omit<Reported, "generated">;

/** A result of an occurrence that the agent started. */
export interface HeldResult {
  position: number;
  testId: string;
  testVersion: number;
  startedAt: Date;
  result: AgentResult;
  /** Values that its run generated: the same in each of its results. */
  generated: Generated;
}

/** Of all files together. */
const maxBytes = 256 * 1_048_576;
/** Schedule, due time, members of the circle, position, test, version, and start. */
const fileName = /^([\da-f-]{36})\.(\d+)\.(\d+)\.(\d+)\.([\da-f-]{36})\.(\d+)\.(\d+)\.json$/;

interface Held extends ReportedOccurrence {
  names: Map<number, string>;
}

export const keyOf = ({ scheduleId, scheduledFor }: DueTime) => `${scheduleId} ${Date.parse(scheduledFor)}`;

/** Results of occurrences that this agent started while the portal was away, in files until the portal has created their runs. */
export class HeldOccurrences {
  readonly #held = new Map<string, Held>();
  readonly #folder: BoundedFolder;

  constructor(folder: string) {
    this.#folder = new BoundedFolder(folder, maxBytes);
  }

  /** What an earlier process could not report. */
  async load(): Promise<void> {
    for (const name of await this.#folder.load((one) => fileName.test(one))) {
      const [, scheduleId = "", due, members, position, testId = "", version, startedAt] = fileName.exec(name)!;
      const occurrence = { scheduleId, scheduledFor: new Date(Number(due)).toISOString(), members: Number(members) };
      this.#note(occurrence, name, {
        ...{ position: Number(position), testId, testVersion: Number(version) },
        startedAt: new Date(Number(startedAt)).toISOString(),
      });
    }
  }

  get size(): number {
    return this.#held.size;
  }

  has(dueTime: DueTime): boolean {
    return this.#held.has(keyOf(dueTime));
  }

  list(): ReportedOccurrence[] {
    return [...this.#held.values()].map(({ names: _, ...occurrence }) => occurrence);
  }

  /** @returns false where there is no capacity for it */
  async add(occurrence: DueTime & { members: number }, held: HeldResult): Promise<boolean> {
    const { scheduleId, scheduledFor, members } = occurrence;
    const { position, testId, testVersion, startedAt, result, generated } = held;
    const numbers = `${Date.parse(scheduledFor)}.${members}.${position}.${testId}.${testVersion}.${startedAt.getTime()}`;
    const name = `${scheduleId}.${numbers}.json`;
    const text = `{"generated":${JSON.stringify(generated)},"result":${writeResult(result)}}`;
    if (!(await this.#folder.write(name, text))) return false;
    this.#note(occurrence, name, { position, testId, testVersion, startedAt: startedAt.toISOString() });
    return true;
  }

  #note(
    { scheduleId, scheduledFor, members }: DueTime & { members: number },
    name: string,
    execution: ReportedOccurrence["executions"][number],
  ): void {
    const key = keyOf({ scheduleId, scheduledFor });
    const none: Held = { scheduleId, scheduledFor, members, executions: [], names: new Map() };
    const held = this.#held.get(key) ?? none;
    held.executions.push(execution);
    held.names.set(execution.position, name);
    this.#held.set(key, held);
  }

  async read(dueTime: DueTime, position: number): Promise<AgentResult | undefined> {
    const name = this.#held.get(keyOf(dueTime))?.names.get(position);
    return name === undefined ? undefined : (await this.#read(name)).result;
  }

  async readGenerated(dueTime: DueTime): Promise<Generated> {
    const [name] = this.#held.get(keyOf(dueTime))?.names.values() ?? [];
    return name === undefined ? [] : (await this.#read(name)).generated;
  }

  async #read(name: string): Promise<Pick<HeldResult, "result" | "generated">> {
    return JSON.parse(await this.#folder.read(name));
  }

  async remove(dueTime: DueTime): Promise<void> {
    const key = keyOf(dueTime);
    const names = this.#held.get(key)?.names ?? new Map<number, string>();
    this.#held.delete(key);
    for (const name of names.values()) await this.#folder.remove(name);
  }
}
