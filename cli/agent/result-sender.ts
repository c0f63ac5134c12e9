import { setTimeout as pause } from "node:timers/promises";
import { maxResultBytes, maxResults } from "#contracts/test-executioner/agent-limits.ts";
import type { AgentResult } from "#contracts/test-executioner/agent-work.ts";
import type { AgentLog } from "./log.ts";
import type { Kept, Outbox } from "./outbox.ts";
import { type AgentCalls, Away, RefusedCall } from "./portal-calls.ts";
import { failed } from "./task-runner.ts";

const path = "/api/v1/agent-results";
/** Of one call, so that several fit and none is too large. */
const maxBatchBytes = maxResultBytes / 2;
const maxPauseMilliseconds = 5_000;
/** After SIGTERM; what is not sent by then is stored. */
const finishMilliseconds = 10_000;

interface Reply {
  items: { executionId: string; outcome: "recorded" | "known" | "refused" }[];
}

/** JSON as a portal accepts it: without halves of characters, which a response may contain as escapes. */
export function writeResult(result: AgentResult): string {
  const json = JSON.stringify(result);
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json;
  return JSON.stringify(result, (_, value: unknown) =>
    typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value,
  );
}

/** Sends results in batches, again until each is confirmed. */
export class ResultSender {
  readonly #parts: { calls: AgentCalls; outbox: Outbox; log: AgentLog };
  readonly #stopping = new AbortController();
  #sending: Promise<void> | undefined;
  #isAway = false;
  /** Thrown when the agent may not call any more. */
  refusal: RefusedCall | undefined;

  constructor(parts: { calls: AgentCalls; outbox: Outbox; log: AgentLog }) {
    this.#parts = parts;
    if (parts.outbox.size > 0) this.#send();
  }

  /** While the portal is away, work is not asked for either. */
  get isAway(): boolean {
    return this.#isAway;
  }

  add(result: AgentResult): void {
    const { outbox } = this.#parts;
    outbox.add({ executionId: result.executionId, fence: result.fence, json: writeResult(result) });
    if (this.#isAway) void this.#store();
    this.#send();
  }

  /** Resolves when all that were waiting are sent. */
  async settle(): Promise<void> {
    await this.#sending;
  }

  /** Sends the rest, for a while. */
  async finish(): Promise<void> {
    await Promise.race([this.#sending, pause(finishMilliseconds, undefined, { ref: false })]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#sending;
    await this.#store();
  }

  #send(): void {
    this.#sending ??= this.#work().finally(() => {
      this.#sending = undefined;
      if (this.#parts.outbox.size > 0 && !this.#stopping.signal.aborted && !this.refusal) this.#send();
    });
  }

  async #work(): Promise<void> {
    const { outbox, log } = this.#parts;
    // Those that end at the same moment go together.
    await new Promise((resolve) => setImmediate(resolve));
    for (let failures = 0; outbox.size > 0 && !this.#stopping.signal.aborted; ) {
      try {
        await this.#sendBatch(chooseBatch(outbox.list()));
        if (this.#isAway) log.info("the portal is back", { waiting: outbox.size });
        this.#isAway = false;
        failures = 0;
      } catch (error) {
        if (error instanceof RefusedCall) {
          this.refusal = error;
          return;
        }
        if (!(error instanceof Away)) throw error;
        if (!this.#isAway) log.warn(error.message, { waiting: outbox.size });
        this.#isAway = true;
        await this.#store();
        failures += 1;
        const milliseconds = Math.min(maxPauseMilliseconds, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
        await pause(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
  }

  async #sendBatch(batch: Kept[]): Promise<void> {
    const { calls, outbox, log } = this.#parts;
    try {
      const { items } = await calls.post<Reply>(path, `{"items":[${batch.map(({ json }) => json).join(",")}]}`, {
        seconds: 60,
      });
      const outcomes = new Map(items.map(({ executionId, outcome }) => [executionId, outcome]));
      for (const kept of batch) await outbox.remove(kept);
      const refused = [...outcomes.values()].filter((outcome) => outcome === "refused").length;
      if (refused > 0)
        log.info("results were taken over by another agent, or their tests deleted", { results: refused });
    } catch (error) {
      if (!(error instanceof RefusedCall) || error.status === 401) throw error;
      const [first] = batch;
      if (batch.length > 1) {
        for (const kept of batch) await this.#sendBatch([kept]);
      } else if (first) {
        log.warn("a result was refused", { execution: first.executionId, reason: error.message });
        await outbox.remove(first);
        const detail = "The agent ran the test, and the portal could not take its result. The agent's log says why.";
        const { executionId, fence } = first;
        const isRepeated = first.json.includes('"code":"agent_failed"');
        if (!isRepeated) outbox.add({ executionId, fence, json: writeResult(failed(first, detail, calls.now())) });
      }
    }
  }

  async #store(): Promise<void> {
    const dropped = await this.#parts.outbox.store();
    if (dropped > 0) this.#parts.log.warn("results could not be stored, and will be run again", { results: dropped });
  }
}

function chooseBatch(waiting: Kept[]): Kept[] {
  const batch: Kept[] = [];
  let bytes = 0;
  for (const kept of waiting) {
    bytes += Buffer.byteLength(kept.json) + 1;
    if (batch.length > 0 && (bytes > maxBatchBytes || batch.length === maxResults)) break;
    batch.push(kept);
  }
  return batch;
}
