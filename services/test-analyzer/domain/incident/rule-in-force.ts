import type { AlertPolicy, AlertScope, Severity } from "../../contract/alert-rules.ts";

export interface Rule {
  scopeKind: AlertScope["kind"];
  scopeId: string;
  policy: AlertPolicy;
  channelIds: string[];
}

/** The most specific rule counts: of the circle, of the API, of the organization; `fallback` where there is none. */
export function ruleInForce(
  rules: readonly Rule[],
  place: { testCircleId: string | null; apiId: string },
  fallback: AlertPolicy,
): Pick<Rule, "policy" | "channelIds"> {
  const of = (kind: Rule["scopeKind"], id: string | null) =>
    rules.find(({ scopeKind, scopeId }) => scopeKind === kind && (kind === "organization" || scopeId === id));
  return (
    of("circle", place.testCircleId) ??
    of("api", place.apiId) ??
    of("organization", null) ?? { policy: fallback, channelIds: [] }
  );
}

const ranks: Record<Severity, number> = { low: 0, medium: 1, high: 2, critical: 3 };

export function graver(one: Severity, other: Severity): Severity {
  return ranks[one] >= ranks[other] ? one : other;
}

/** Of a test with these tags; the gravest of several. */
export function severityOf({ severity, severities }: AlertPolicy, tags: readonly string[]): Severity {
  const named = severities.filter(({ tag }) => tags.includes(tag)).map((one) => one.severity);
  return named.length === 0 ? severity : named.reduce(graver);
}
