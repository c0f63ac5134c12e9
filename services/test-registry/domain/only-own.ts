import type { InspectedMember } from "#contracts/test-registry/circle-inspection.ts";
import type { CirclePhase, MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { ChangedResource } from "#libraries/running/only-own/changed-resource.ts";
import { explainForeignChange, isBound, type Origin } from "#libraries/running/only-own/foreign-change.ts";
import { canMake } from "#libraries/running/only-own/made.ts";

/** A member of a circle that changes only what its run made. */
export interface ChangingMember {
  phase: CirclePhase;
  test: { method: string; path: string };
  effect?: MemberEffect;
  /** Of its request. */
  changed: ChangedResource;
  /** Names whose values identify what its request makes. */
  chooses: string[];
  /** By the names of its data rows: the one that is all of each row's value; undefined for another text. */
  follows: ReadonlyMap<string, (string | undefined)[]>;
  uses: InspectedMember["uses"];
}

/**
 * For each member, in run order, why its request would not be sent; null if it would be. Positions count from 1.
 * @param unique names of variables that each run generates with a UUID
 */
export function explainNotSent(
  order: "sequential" | "parallel",
  members: ChangingMember[],
  unique: ReadonlySet<string>,
): (string | null)[] {
  const makes = members.map(({ test, effect }) => effect === "makes" && canMake(test.method));
  const chosen = new Set<string>();
  return members.map(({ phase, test, effect, changed, chooses, follows, uses }, index) => {
    const findBeyondRows = (name: string) => {
      const use = uses.find((one) => one.name === name);
      return use?.givenBy === "circle" && unique.has(name)
        ? judgeGenerated(chosen.has(name))
        : findOrigin(name, use, makes);
    };
    const find = (name: string): Origin => {
      const ofRows = follows.get(name) ?? [];
      if (ofRows.length === 0) return findBeyondRows(name);
      const isMade = (one: string | undefined) => one !== undefined && findBeyondRows(one).isMade;
      return ofRows.every(isMade) ? { isMade: true } : { isMade: false, why: "comes from the test's data." };
    };
    const notSent = isBound(test, effect) ? explainForeignChange(test, changed, find) : undefined;
    if (makes[index] && (order === "sequential" || phase !== "main")) {
      const given = uses.filter(({ givenBy }) => givenBy === "circle").map(({ name }) => name);
      const sent = chooses.flatMap((name) => (follows.get(name)?.length ? follows.get(name)! : [name]));
      for (const name of sent) if (name !== undefined && given.includes(name)) chosen.add(name);
    }
    return notSent ?? null;
  });
}

/** Of a variable that the run generates. */
function judgeGenerated(hasMade: boolean): Origin {
  return hasMade
    ? { isMade: true }
    : { isMade: false, why: "is generated, and no earlier test creates something with it." };
}

function findOrigin(name: string, use: InspectedMember["uses"][number] | undefined, makes: boolean[]): Origin {
  if (!use) return { isMade: false, why: name.startsWith("$") ? "is generated." : "has no value." };
  if (use.givenBy === "member" && makes[use.position! - 1]) return { isMade: true };
  const whys: Record<typeof use.givenBy, string> = {
    member: `is captured by test ${use.position}, which creates nothing new.`,
    row: "comes from the test's data.",
    circle: "comes from the circle's variables.",
    environment: "comes from the environment.",
    nobody: "has no value.",
  };
  return { isMade: false, why: whys[use.givenBy] };
}
