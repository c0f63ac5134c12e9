/** What becomes of requests that may change something: sent, sent in runs that a person starts, never sent. */
export type UnsafeMethods = "allowed" | "confirmed" | "refused";

/** From the mildest to the strictest. */
const strictness: UnsafeMethods[] = ["allowed", "confirmed", "refused"];

export interface RuledDomain {
  name: string;
  state: "unverified" | "verified";
  unsafe_methods: UnsafeMethods;
}

/**
 * What holds for a host, of all domains that cover it: it is verified by any of them, and the strictest rule counts, so
 * that a domain made for one host alone loosens nothing that holds for the wildcard above it.
 */
export function rulesOf(covering: readonly RuledDomain[]) {
  const [strictest] = [...covering].sort(
    (one, other) => strictness.indexOf(other.unsafe_methods) - strictness.indexOf(one.unsafe_methods),
  );
  return {
    isVerified: covering.some(({ state }) => state === "verified"),
    unsafeMethods: strictest?.unsafe_methods ?? "allowed",
    ruledBy: strictest?.name ?? null,
  };
}
