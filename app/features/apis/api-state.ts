import type { ApiExecutions } from "~/features/recoveries/recovering-tests.server";
import type { IconName } from "~/ui/icon/icon";
import type { Tone } from "~/ui/tone";

export interface ApiStateWords {
  word: string;
  tone: Tone;
  icon: IconName;
}

const words = {
  failing: { word: "Failing", tone: "danger", icon: "cross" },
  recovering: { word: "Recovering", tone: "warning", icon: "clock" },
  running: { word: "Running", tone: "info", icon: "clock" },
  regional: { word: "Regional", tone: "warning", icon: "pin" },
  flaky: { word: "Flaky", tone: "warning", icon: "refresh" },
  passing: { word: "Passing", tone: "success", icon: "check" },
  notRun: { word: "Not run", tone: "neutral", icon: "dot" },
  unknown: { word: "Unknown", tone: "neutral", icon: "dot" },
} satisfies Record<string, ApiStateWords>;

/**
 * The state of an API: the worst state of its tests.
 * @param executions null: none of its tests has run; undefined: unknown
 */
export function apiState(executions: ApiExecutions | null | undefined): ApiStateWords {
  if (executions === undefined) return words.unknown;
  if (executions === null) return words.notRun;
  const { failing, recovering, unfinished, passed, flaky, regional } = executions;
  if (failing > 0) return words.failing;
  if (recovering.length > 0) return words.recovering;
  if (regional > 0) return words.regional;
  if (flaky > 0) return words.flaky;
  if (passed > 0) return words.passing;
  return unfinished > 0 ? words.running : words.notRun;
}

/** The edge of an API's row. */
export function apiEdge(executions: ApiExecutions | null | undefined): Tone | undefined {
  const { tone } = apiState(executions);
  return tone === "danger" || tone === "warning" ? tone : undefined;
}
