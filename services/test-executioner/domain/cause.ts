import type { Cause } from "../contract/executions.ts";

/** What keeps a request from being sent, thrown inside planning and answered as the attempt's cause. */
export class Unsendable extends Error {
  override readonly cause: Cause;

  constructor(code: string, detail: string) {
    super(detail);
    this.cause = { code, detail };
  }
}

/** A run that was taken up as often as allowed and never came to an end. */
export const workerLost: Cause = {
  code: "worker_lost",
  detail:
    "The run was started three times and never came to an end. Run the test again; if it stays so, tell an operator.",
};
