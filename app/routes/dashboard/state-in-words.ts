import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import type { Tone } from "~/ui/tone";

/** Undefined values are unknown. */
export interface StateFigures {
  /** Of all APIs, failing or not. */
  apis: number | undefined;
  failing: number | undefined;
  incidents: number | undefined;
  hasRun: boolean;
}

/** The state of all APIs in a few words, its tone, and where it is explained. */
export function stateInWords({ apis, failing, incidents, hasRun }: StateFigures): {
  tone: Tone;
  words: string;
  address?: string;
} {
  if (failing === undefined) return { tone: "warning", words: "Test results can't be shown right now" };
  if (failing > 0) {
    const address = href("/dashboard", { state: "failing" });
    const words = apis === undefined ? plural(failing, "API") : `${formatCount(failing)} of ${plural(apis, "API")}`;
    return { tone: "danger", words: `${words} failing`, address };
  }
  if (!hasRun) return { tone: "neutral", words: "No test has run yet" };
  const none = `o failing tests${apis === undefined ? "" : ` in ${plural(apis, "API")}`}`;
  return incidents === 0 ? { tone: "success", words: `All clear: n${none}` } : { tone: "warning", words: `N${none}` };
}
