import type { EntryKind } from "#contracts/test-analyzer/incidents.ts";
import type { Decision } from "./decisions.ts";

export interface DescribedEntry {
  incidentId: string;
  at: Date;
  kind: EntryKind;
  text: string;
  /** End of a mute. */
  until?: Date;
  runId: string | null;
  /** API of one of the run's tests. */
  apiId: string | null;
}

const maxNames = 3;

function listNames(names: readonly string[]): string {
  const displayed = [...new Set(names)];
  const others = displayed.length - maxNames;
  if (others <= 0) return displayed.join(", ");
  return `${displayed.slice(0, maxNames).join(", ")} and ${others} more`;
}

const sentences: Record<Decision["kind"], (names: string, isOne: boolean) => string> = {
  opened: (names) => `${names} failed.`,
  joined: (names, isOne) => `${names} ${isOne ? "fails" : "fail"} for the same reason.`,
  well: (names, isOne) => `${names} ${isOne ? "passes" : "pass"} again.`,
  left: (names, isOne) =>
    `${names} ${isOne ? "fails" : "fail"} for another reason now, or ${isOne ? "is" : "are"} gone.`,
  unsteady: (names) => `${names} changed verdict three times in ten results.`,
  muted: () => "Muted still, since its cause was.",
  resolved: () => "No test fails for this reason anymore.",
};

/** Timeline entries for decisions: one entry for all tests with the same change in one run. */
export function describeDecisions(made: readonly Decision[]): DescribedEntry[] {
  const groups = new Map<string, { decision: Decision; names: string[] }>();
  for (const decision of made) {
    const key = `${decision.incident.id} ${decision.kind} ${decision.runId}`;
    const group = groups.get(key) ?? { decision, names: [] };
    if ("test" in decision) group.names.push(decision.test.described.testName);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ decision, names }) => {
    const { incident, at, kind, runId } = decision;
    return {
      incidentId: incident.id,
      at,
      kind,
      text: sentences[kind](listNames(names), new Set(names).size === 1),
      until: kind === "muted" ? (incident.mutedUntil ?? undefined) : undefined,
      runId,
      apiId: "test" in decision ? decision.test.described.apiId : null,
    };
  });
}
