import type { RunState, Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { IconName } from "~/ui/icon/icon";
import type { Tone } from "~/ui/tone";

/** The status of an execution or a run: its verdict once there is one, else its state. */
export type Status = Verdict | RunState;

export interface StatusWords {
  word: string;
  tone: Tone;
  icon: IconName;
}

/** Icon and word of every status, for badges, strips and matrices alike. */
export const statusWords: Record<Status, StatusWords> = {
  passed: { word: "Passed", tone: "success", icon: "check" },
  failed: { word: "Failed", tone: "danger", icon: "cross" },
  errored: { word: "Errored", tone: "warning", icon: "warning" },
  regional: { word: "Regional", tone: "warning", icon: "pin" },
  flaky: { word: "Flaky", tone: "warning", icon: "refresh" },
  skipped: { word: "Skipped", tone: "neutral", icon: "minus" },
  blocked: { word: "Blocked", tone: "neutral", icon: "blocked" },
  queued: { word: "Queued", tone: "info", icon: "clock" },
  running: { word: "Running", tone: "info", icon: "clock" },
  cancelling: { word: "Cancelling", tone: "info", icon: "clock" },
  cancelled: { word: "Cancelled", tone: "neutral", icon: "minus" },
  finished: { word: "Finished", tone: "neutral", icon: "dot" },
};

/** The edge of a row with this status: failures stand out, all others need none. */
export function getEdge(status: Status | null | undefined): Tone | undefined {
  const tone = status ? statusWords[status].tone : undefined;
  return tone === "danger" || tone === "warning" ? tone : undefined;
}

export function getStatus(execution: {
  state: RunState;
  verdict: Verdict | null;
  isRegional?: true | undefined;
}): Status {
  if (execution.isRegional) return "regional";
  return execution.verdict ?? execution.state;
}

/** Whether the verdict is still pending. */
export function isUnfinished({ state }: { state: RunState }): boolean {
  return state === "queued" || state === "running" || state === "cancelling";
}
