import type { AlertPolicy, AlertScope, Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { IncidentCause, SilenceReason } from "#contracts/test-analyzer/incidents.ts";

export interface Rule {
  scopeKind: AlertScope["kind"];
  scopeId: string;
  policy: AlertPolicy;
  channelIds: string[];
}

/** The most specific rule applies: of the circle, the API, then the organization. Undefined when there is none. */
export function ruleInForce(
  rules: readonly Rule[],
  location: { testCircleId: string | null; apiId: string },
): Rule | undefined {
  const of = (kind: Rule["scopeKind"], id: string | null) =>
    rules.find(({ scopeKind, scopeId }) => scopeKind === kind && (kind === "organization" || scopeId === id));
  return of("circle", location.testCircleId) ?? of("api", location.apiId) ?? of("organization", null);
}

export function toScope({ scopeKind, scopeId }: Pick<Rule, "scopeKind" | "scopeId">): AlertScope {
  if (scopeKind === "organization") return { kind: "organization" };
  return scopeKind === "api" ? { kind: "api", apiId: scopeId } : { kind: "circle", testCircleId: scopeId };
}

/**
 * Why failures in these circles and APIs are not reported.
 * @param enabledIds channels that are switched on
 */
export function getSilenceReason(
  rules: readonly Rule[],
  locations: readonly { testCircleId: string | null; apiId: string }[],
  enabledIds: ReadonlySet<string>,
): { because: SilenceReason; scope: AlertScope | null } {
  const counting = locations.flatMap((location) => ruleInForce(rules, location) ?? []);
  const first = counting[0];
  if (!first) return { because: "no_rule", scope: null };
  const channelIds = counting.flatMap((rule) => rule.channelIds);
  const isOn = channelIds.some((id) => enabledIds.has(id));
  return {
    because: isOn ? "later" : channelIds.length > 0 ? "switched_off" : "no_channel",
    scope: toScope(first),
  };
}

const ranks: Record<Severity, number> = { low: 0, medium: 1, high: 2, critical: 3 };

export function graver(one: Severity, other: Severity): Severity {
  return ranks[one] >= ranks[other] ? one : other;
}

/** Severity of a test with these tags; the highest of several. */
export function getSeverity({ severity, severities }: AlertPolicy, tags: readonly string[]): Severity {
  const named = severities.filter(({ tag }) => tags.includes(tag)).map((one) => one.severity);
  return named.length === 0 ? severity : named.reduce(graver);
}

/** What an incident is about that no test has failed for: its rules are those of these circles and APIs. */
export function listScopes(cause: IncidentCause): { testCircleId: string | null; apiId: string }[] {
  if (cause.kind === "document") return [{ testCircleId: null, apiId: cause.apiId }];
  if (cause.kind !== "location") return [];
  const { apiIds, testCircleIds } = cause;
  return [
    ...testCircleIds.map((testCircleId) => ({ testCircleId, apiId: apiIds[0] ?? "" })),
    ...apiIds.map((apiId) => ({ testCircleId: null, apiId })),
  ];
}
