import type { Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type {
  IncidentCause,
  IncidentState,
  IncidentSummary,
  SilenceReason,
} from "#contracts/test-analyzer/incidents.ts";
import type { IconName } from "~/ui/icon/icon";
import type { Tone } from "~/ui/tone";

interface Words {
  word: string;
  tone: Tone;
  icon?: IconName;
}

export const severityWords: Record<Severity, Words> = {
  critical: { word: "Critical", tone: "danger", icon: "warning" },
  high: { word: "High", tone: "warning", icon: "warning" },
  medium: { word: "Medium", tone: "info", icon: "info" },
  low: { word: "Low", tone: "neutral", icon: "info" },
};

export const stateWords: Record<IncidentState, Words> = {
  opened: { word: "Open", tone: "danger" },
  acknowledged: { word: "Acknowledged", tone: "info", icon: "user" },
  muted: { word: "Muted", tone: "neutral", icon: "pause" },
  resolved: { word: "Resolved", tone: "success" },
};

/** The edge of an incident's row: none once it is resolved, another colour while its tests have passed elsewhere. */
export function incidentEdge({ state, recovery }: Pick<IncidentSummary, "state" | "recovery">): Tone | undefined {
  if (state === "resolved") return undefined;
  return recovery ? "warning" : "danger";
}

/** The common cause of failing tests, or what is the matter with a document or a location, in a sentence. */
export function causeWords(cause: IncidentCause): string {
  switch (cause.kind) {
    case "host":
      return `${cause.host}: DNS lookup failed or connection refused. All tests that send requests to it fail.`;
    case "certificate":
      return `Can't connect securely to ${cause.host}: TLS failed, for example because a certificate has expired.`;
    case "credential":
      return `A credential${cause.host ? ` for ${cause.host}` : ""} is refused, deleted, or bound to another host. All tests that use it fail.`;
    case "test":
      return "This test fails, and later steps that depend on it fail too.";
    case "document":
      return cause.problem === "changed"
        ? "The watched address serves a version that was not taken over. No test has failed for it."
        : "The watched address gives no document that can be read. No test has failed for it.";
    case "place":
      return "All tests fail from this place, with several hosts, while another place sees none of them fail.";
    case "location":
      return cause.hasCalled
        ? "The agents of this location no longer call. Its tests are not run, and none has failed for it."
        : "No agent of this location has called yet. Its tests are not run, and none has failed for it.";
  }
}

export const unsteadyWords = "Its verdicts keep changing: it stays open until five good results in a row.";

/** Why an incident sends no notifications. */
export const silenceWords: Record<SilenceReason, string> = {
  no_rule: "No alert rule applies to its tests.",
  no_channel: "The alert rule for its tests has no channel.",
  switched_off: "The channels of its alert rule are disabled.",
  later:
    "Its alert rule has channels now but had none when this incident opened. The next incident will be sent to them.",
};
