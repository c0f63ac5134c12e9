import type { InspectedMember } from "#contracts/test-registry/circle-inspection.ts";
import type { MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { ChangedResource } from "#libraries/running/only-own/changed-resource.ts";
import { explainForeignChange, isBound, type Origin } from "#libraries/running/only-own/foreign-change.ts";
import { canMake } from "#libraries/running/only-own/made.ts";

/** A member of a circle that changes only what its run made. */
export interface ChangingMember {
  test: { method: string; path: string };
  effect?: MemberEffect;
  /** Of its request. */
  changed: ChangedResource;
  uses: InspectedMember["uses"];
}

/** For each member, in run order, why its request would not be sent; null if it would be. Positions count from 1. */
export function explainNotSent(members: ChangingMember[]): (string | null)[] {
  const makes = members.map(({ test, effect }) => effect === "makes" && canMake(test.method));
  return members.map(({ test, effect, changed, uses }) => {
    if (!isBound(test, effect)) return null;
    const find = (name: string) =>
      findOrigin(
        name,
        uses.find((use) => use.name === name),
        makes,
      );
    return explainForeignChange(test, changed, find) ?? null;
  });
}

function findOrigin(name: string, use: InspectedMember["uses"][number] | undefined, makes: boolean[]): Origin {
  if (!use) return { isMade: false, why: name.startsWith("$") ? "is generated." : "has no value." };
  if (use.givenBy === "member" && makes[use.position! - 1]) return { isMade: true };
  const whys: Record<typeof use.givenBy, string> = {
    member: `is captured by test ${use.position}, which makes nothing new.`,
    row: "comes from the test's data.",
    circle: "comes from the circle's variables.",
    environment: "comes from the environment.",
    nobody: "has no value.",
  };
  return { isMade: false, why: whys[use.givenBy] };
}
