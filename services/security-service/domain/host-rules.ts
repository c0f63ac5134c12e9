/** Policy for requests with side effects: sent, sent only in runs that a person starts, or never sent. */
export type UnsafeMethods = "allowed" | "confirmed" | "refused";

/** From least to most strict. */
const strictness: UnsafeMethods[] = ["allowed", "confirmed", "refused"];

export interface RuledDomain {
  name: string;
  state: "unverified" | "verified";
  unsafe_methods: UnsafeMethods;
}

/**
 * Rules for a host, from all domains that cover it: any of them verifies it, and the strictest rule applies, so that a
 * domain for a single host can't loosen the rules of a wildcard above it.
 */
export function mergeRules(covering: readonly RuledDomain[]) {
  const [strictest] = [...covering].sort(
    (one, other) => strictness.indexOf(other.unsafe_methods) - strictness.indexOf(one.unsafe_methods),
  );
  return {
    isVerified: covering.some(({ state }) => state === "verified"),
    unsafeMethods: strictest?.unsafe_methods ?? "allowed",
    ruledBy: strictest?.name ?? null,
  };
}

/**
 * Whether requests to a host have a trace context: to the organization's own hosts only, since it tells others which
 * requests are tests.
 * @param spellings all that cover the host
 * @param tracing undefined for the defaults
 */
export function isTraced(
  spellings: readonly string[],
  { isVerified }: { isVerified: boolean },
  tracing: { verified_domains: boolean; hosts: readonly string[] } | undefined,
): boolean {
  if (!tracing) return isVerified;
  return (isVerified && tracing.verified_domains) || tracing.hosts.some((host) => spellings.includes(host));
}
