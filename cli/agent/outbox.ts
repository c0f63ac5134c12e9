import type { AgentHold } from "#contracts/test-executioner/agent-work.ts";
import { BoundedFolder } from "./bounded-folder.ts";

/** A result that the portal has not confirmed. */
export interface Kept extends AgentHold {
  json: string;
  /** Its file, if it was stored. */
  name?: string;
}

/** Of all files together. */
const maxBytes = 256 * 1_048_576;
const fileName = /^([\da-f-]{36})\.(\d+)\.json$/;

/** Results on their way to the portal: in memory while it is there, in a folder while it is away. */
export class Outbox {
  readonly #kept = new Map<string, Kept>();
  readonly #folder: BoundedFolder;
  #storing: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = new BoundedFolder(folder, maxBytes);
  }

  /** What an earlier process could not send. */
  async load(): Promise<void> {
    for (const name of await this.#folder.load((one) => fileName.test(one))) {
      const [, executionId = "", fence] = fileName.exec(name)!;
      this.#kept.set(executionId, { executionId, fence: Number(fence), json: await this.#folder.read(name), name });
    }
  }

  get size(): number {
    return this.#kept.size;
  }

  list(): Kept[] {
    return [...this.#kept.values()];
  }

  add(kept: Kept): void {
    this.#kept.set(kept.executionId, kept);
  }

  /**
   * Stores those that are in memory only, so that a killed agent loses none.
   * @returns how many were dropped, for want of capacity: they are run again when their lease has ended
   */
  store(): Promise<number> {
    // In turns: two that write the same file would take it from each other.
    const stored = this.#storing.then(() => this.#storeAll());
    this.#storing = stored;
    return stored;
  }

  async #storeAll(): Promise<number> {
    let dropped = 0;
    for (const kept of this.list().filter(({ name }) => name === undefined)) {
      const name = `${kept.executionId}.${kept.fence}.json`;
      if (await this.#folder.write(name, kept.json)) kept.name = name;
      else {
        this.#kept.delete(kept.executionId);
        dropped += 1;
      }
    }
    return dropped;
  }

  async remove({ executionId, fence, name }: Kept): Promise<void> {
    if (this.#kept.get(executionId)?.fence === fence) this.#kept.delete(executionId);
    if (name !== undefined) await this.#folder.remove(name);
  }
}
