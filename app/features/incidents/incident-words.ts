import type { Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { IncidentCause, IncidentState, SilenceReason } from "#contracts/test-analyzer/incidents.ts";
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

/** The common cause of failing tests, or what is the matter with a document, in a sentence. */
export function causeWords(cause: IncidentCause): string {
  switch (cause.kind) {
    case "host":
      return `${cause.host} can't be found, or lets nobody connect. Every test that sends requests to it fails.`;
    case "certificate":
      return `No secure connection to ${cause.host} can be made: TLS fails, for example because a certificate has expired.`;
    case "credential":
      return `A credential${cause.host ? ` for ${cause.host}` : ""} is refused, gone, or bound to another host. Every test that uses it fails.`;
    case "test":
      return "This test gets no answer, or not the one it expects. Later steps of its run fail because of it.";
    case "document":
      return cause.problem === "changed"
        ? "The watched address serves a version that was not taken over. No test has failed for it."
        : "The watched address gives no document that can be read. No test has failed for it.";
  }
}

export const unsteadyWords = "Its verdicts keep changing: it stays open until five good results in a row.";

/** Why an incident sends no notifications. */
export const silenceWords: Record<SilenceReason, string> = {
  no_rule: "No alert rule counts for its tests.",
  no_channel: "The alert rule that counts for its tests names no channel.",
  switched_off: "The channels of its alert rule are switched off.",
  later: "Its alert rule has channels now, but had none when this opened. The next incident will be sent to them.",
};
