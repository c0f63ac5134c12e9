import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { AgentHold } from "#contracts/test-executioner/agent-work.ts";

/** A result that the portal has not confirmed. */
export interface Kept extends AgentHold {
  json: string;
  /** Its file, if it was stored. */
  path?: string;
}

/** Of all files together. */
const maxBytes = 256 * 1_048_576;
const fileName = /^([\da-f-]{36})\.(\d+)\.json$/;

/** Results on their way to the portal: in memory while it is there, in a folder while it is away. */
export class Outbox {
  readonly #kept = new Map<string, Kept>();
  #storedBytes = 0;
  #storing: Promise<unknown> = Promise.resolve();

  constructor(private readonly folder: string) {}

  /** What an earlier process could not send. */
  async load(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      const [, executionId, fence] = fileName.exec(name) ?? [];
      // Of a process that was killed while it wrote.
      if (executionId === undefined) await unlink(path).catch(() => {});
      else {
        this.#storedBytes += (await stat(path)).size;
        const json = await readFile(path, "utf8");
        this.#kept.set(executionId, { executionId, fence: Number(fence), json, path });
      }
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
    for (const kept of this.list().filter(({ path }) => path === undefined)) {
      if (this.#storedBytes + kept.json.length > maxBytes || !(await this.#write(kept))) {
        this.#kept.delete(kept.executionId);
        dropped += 1;
      }
    }
    return dropped;
  }

  async #write(kept: Kept): Promise<boolean> {
    const path = join(this.folder, `${kept.executionId}.${kept.fence}.json`);
    try {
      const file = await open(`${path}.new`, "w", 0o600);
      try {
        await file.writeFile(kept.json);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.new`, path);
      kept.path = path;
      this.#storedBytes += Buffer.byteLength(kept.json);
      return true;
    } catch {
      return false;
    }
  }

  async remove({ executionId, fence, json, path }: Kept): Promise<void> {
    if (this.#kept.get(executionId)?.fence === fence) this.#kept.delete(executionId);
    if (path === undefined) return;
    this.#storedBytes -= Buffer.byteLength(json);
    await unlink(path).catch(() => {});
  }
}
