import type { OperationChange } from "#contracts/api-registry/comparisons.ts";
import type { AlertRule } from "#contracts/test-analyzer/alert-rules.ts";

/** Tests that a new version of the document breaks, of those that are listed. */
export function listBrokenTests(changes: readonly OperationChange[]) {
  return changes.flatMap(({ tests }) => tests?.items ?? []).filter(({ effects = [] }) => effects.length > 0);
}

/**
 * Which alert rules notify of failures of broken tests, in a sentence: the rule of a circle precedes that of the API, which
 * precedes the organization's.
 */
export function describeAlerting(
  broken: ReturnType<typeof listBrokenTests>,
  apiId: string,
  rules: readonly AlertRule[],
): string {
  const circles = new Map(broken.flatMap(({ circles = [] }) => circles.map(({ id, name }) => [id, name] as const)));
  const names: string[] = [];
  for (const { scope } of rules) {
    if (scope.kind === "circle" && circles.has(scope.testCircleId)) names.push(`of ${circles.get(scope.testCircleId)}`);
  }
  const ofApi = rules.some(({ scope }) => scope.kind === "api" && scope.apiId === apiId);
  const ofOrganization = rules.some(({ scope }) => scope.kind === "organization");
  if (ofApi) names.push("of this API");
  else if (ofOrganization) names.push("of the organization");
  if (names.length === 0) return "No alert rule applies: failures open incidents without an alert.";
  return `Alert rules that apply to failures: ${names.join(", ")}.`;
}
