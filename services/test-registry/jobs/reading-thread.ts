import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Problem } from "#contracts/kit/problem.ts";
import type { ReadableFormat } from "#contracts/test-registry/import-formats.ts";
import type { ChosenFile } from "#libraries/collections/read/unpack.ts";
import { startWorker } from "#libraries/worker-thread/worker-thread.ts";
import type { ImportChoices, ImportPlan } from "../domain/imports/plan.ts";
import type { TargetApi } from "../domain/imports/plan-import.ts";

export interface ReadingTask {
  files: ChosenFile[];
  format: ReadableFormat | undefined;
  /** Undefined: an API made from the requests. */
  target: TargetApi | undefined;
  choices: ImportChoices;
}

/** `document`: of the API to register, as JSON. */
export type Planned = { plan: ImportPlan; document?: string };
export type ReadingAnswer =
  | Planned
  | { unreadable: { file: string; line: number; message: string } }
  | { error: string };

/** Its start included. The limits of files make a longer one an attack, or an error of ours. */
const maxMilliseconds = 20_000;
const heapMebibytes = 512;
const maxWaiting = 20;

/** Files of others are read in a thread that can be stopped, one import after the other. */
export class ReadingThread {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @throws Problem invalid_input at `source` if the files can't be read */
  async plan(task: ReadingTask): Promise<Planned> {
    if (this.#waiting >= maxWaiting)
      throw new Problem("service_unavailable", "Too many files are being imported.", { retryAfterSeconds: 10 });
    this.#waiting += 1;
    const planned = this.#last.then(() => read(task));
    this.#last = planned.catch(() => {});
    try {
      return await planned;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Waits for the end of what is being read. */
  async stop(): Promise<void> {
    await this.#last;
  }
}

const refuse = (message: string) => new Problem("invalid_input", undefined, { errors: [{ path: "source", message }] });
const tooCostly = () => refuse("Reading it takes too long. Import fewer files.");

async function read(task: ReadingTask): Promise<Planned> {
  const worker = startWorker(new URL("./reading.worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMebibytes },
  });
  const over = new AbortController();
  const { signal } = over;
  try {
    const answered = once(worker, "message", { signal }) as Promise<[ReadingAnswer]>;
    worker.postMessage(task);
    const answer = await Promise.race([answered, pause(maxMilliseconds, undefined, { signal, ref: false })]);
    if (!answer) throw tooCostly();
    const [found] = answer;
    if ("unreadable" in found) {
      const { file, line, message } = found.unreadable;
      throw refuse([file, line > 0 ? `line ${line}` : "", message].filter(Boolean).join(": "));
    }
    if ("error" in found) throw new Error(`Files could not be read. ${found.error}`);
    return found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") throw tooCostly();
    throw error;
  } finally {
    over.abort();
    await worker.terminate();
  }
}
