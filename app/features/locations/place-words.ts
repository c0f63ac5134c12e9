import type { PlaceRule, PlaceRuleName } from "#contracts/test-registry/circle-places.ts";

/** What a circle's rule about its places says, as the end of a sentence. */
export function placeRuleWords({ rule, minimum = 1 }: PlaceRule): string {
  const words: Record<PlaceRuleName, string> = {
    any: "a test fails if it fails from one of them",
    all: "a test fails if it fails from all that respond",
    atLeast: `a test fails if it fails from at least ${minimum.toLocaleString("en")} of them`,
    inTurn: "each run from the next of them",
  };
  return words[rule];
}

export const placeRuleChoices: { value: PlaceRuleName; label: string; hint: string }[] = [
  { value: "any", label: "One place", hint: "A test fails as soon as it fails from one place." },
  {
    value: "all",
    label: "All places",
    hint: "A test fails if it fails from every place that responds, two at least; from fewer it is regional.",
  },
  { value: "atLeast", label: "At least some places", hint: "As many as the number below; from fewer it is regional." },
  { value: "inTurn", label: "In turn", hint: "Each run is sent from the next place only." },
];
