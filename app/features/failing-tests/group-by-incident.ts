import type { IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import type { NamedFailingTest } from "./failing-tests.server";

type Incident = Pick<IncidentSummary, "id" | "failingTestIds">;
type Test = Pick<NamedFailingTest, "testId" | "recovering">;

/** Groups failing tests by incident, keeping both orders. A test in several incidents belongs to the first. */
export function groupByIncident<I extends Incident, T extends Test>(incidents: readonly I[], tests: readonly T[]) {
  const owners = new Map<string, string>();
  for (const { id, failingTestIds } of incidents) {
    for (const testId of failingTestIds) if (!owners.has(testId)) owners.set(testId, id);
  }
  const ownerOf = ({ testId, recovering }: T) => owners.get(testId) ?? recovering?.incidentId;
  const known = new Set(incidents.map(({ id }) => id));
  return {
    incidents: incidents.map((incident) => ({
      incident,
      tests: tests.filter((test) => ownerOf(test) === incident.id),
    })),
    others: tests.filter((test) => !known.has(ownerOf(test) ?? "")),
  };
}
