import type { InspectedMember } from "#contracts/test-registry/circle-inspection.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";

/** Names that a member provides and references. */
export interface CapturingMember {
  phase: CirclePhase;
  gives: string[];
  asks: string[];
  /** Columns of its data rows. */
  rows: ReadonlySet<string>;
  /** Names that values of its data rows use: a row's value uses nothing of its row. */
  beyondRows: ReadonlySet<string>;
  /** Names in its API's environment. */
  environment: ReadonlySet<string>;
}

type Uses = InspectedMember["uses"];

interface MissingName {
  name: string;
  usedBy: number[];
  capturedBy: number | null;
}

/**
 * Determines the provider of each name for each member of a circle, by the rules of a run: data rows take precedence
 * over captures, these over the circle's variables and those of the environment. Captures reach later members; parallel
 * ones get only what set-up captured. Positions count from 1.
 */
export function traceCaptures(
  order: "sequential" | "parallel",
  members: CapturingMember[],
  variables: ReadonlySet<string>,
): { uses: Uses[]; missing: MissingName[] } {
  const visible = new Map<string, number>();
  const captured = new Map<string, number>();
  members.forEach(({ gives }, index) => {
    for (const name of gives) captured.set(name, index + 1);
  });
  const missing = new Map<string, MissingName>();
  const uses = members.map((member, index): Uses => {
    const own = member.asks.map((name): Uses[number] => {
      if (member.rows.has(name) && !member.beyondRows.has(name)) return { name, givenBy: "row", position: null };
      const position = visible.get(name);
      if (position !== undefined) return { name, givenBy: "member", position };
      if (variables.has(name)) return { name, givenBy: "circle", position: null };
      if (member.environment.has(name)) return { name, givenBy: "environment", position: null };
      const known = missing.get(name) ?? { name, usedBy: [], capturedBy: captured.get(name) ?? null };
      missing.set(name, { ...known, usedBy: [...known.usedBy, index + 1] });
      return { name, givenBy: "nobody", position: null };
    });
    if (order === "sequential" || member.phase !== "main") {
      for (const name of member.gives) visible.set(name, index + 1);
    }
    return own;
  });
  return { uses, missing: [...missing.values()] };
}
