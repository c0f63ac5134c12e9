import type { Kysely } from "kysely";
import { CancelledWait } from "#libraries/running/pause.ts";
import { listCancelledRuns } from "../store/cancellations.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import type { ExecutionTables } from "../store/tables.ts";

/** The tests of this process that wait until their condition holds; tear-down waits although its run was cancelled. */
export class Waits {
  readonly #runIds = new Map<AbortController, string>();

  /** @returns the signal that ends the wait, and what to call after it */
  begin({ run_id, phase }: Pick<ClaimedExecution, "run_id" | "phase">) {
    const controller = new AbortController();
    if (phase !== "tearDown") this.#runIds.set(controller, run_id);
    return { cancelled: controller.signal, end: () => void this.#runIds.delete(controller) };
  }

  async endCancelled(db: Kysely<ExecutionTables>): Promise<void> {
    if (this.#runIds.size === 0) return;
    const cancelled = await listCancelledRuns(db, [...new Set(this.#runIds.values())]);
    for (const [controller, runId] of this.#runIds) {
      if (cancelled.has(runId)) controller.abort(new CancelledWait());
    }
  }
}
