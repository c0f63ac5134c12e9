import type { WrittenAcceptance } from "./accepted-file.ts";
import type { FailOn, JudgedChange } from "./judge.ts";
import type { Touched } from "./touched.ts";

/** All that a comparison reports. */
export interface DiffReport {
  /** Path or address of the version before; with a portal, the API's name. */
  before: string;
  /** Path or address of the new version. */
  after: string;
  title: string;
  failOn: FailOn;
  /** Those that fail first, then the breaking ones. */
  changes: JudgedChange[];
  unchangedOperations: number;
  acceptedFile: string;
  unneeded: WrittenAcceptance[];
  /** Undefined without a portal. */
  touched?: Touched;
}

export interface DiffCounts {
  breaking: number;
  /** Changes of any kind. */
  accepted: number;
  other: number;
  failing: number;
}

/** Each change counts once: accepted, breaking or other. */
export function countChanges(changes: readonly JudgedChange[]): DiffCounts {
  const isAccepted = ({ accepted }: JudgedChange) => accepted !== undefined;
  const open = changes.filter((change) => !isAccepted(change));
  return {
    breaking: open.filter(({ breaking }) => breaking).length,
    accepted: changes.length - open.length,
    other: open.filter(({ breaking }) => !breaking).length,
    failing: changes.filter(({ fails }) => fails).length,
  };
}

/** "2 breaking changes, 1 accepted, 3 others" */
export function describeChanges(changes: readonly JudgedChange[]): string {
  const { breaking, accepted, other } = countChanges(changes);
  const parts: [number, string][] = [
    [breaking, breaking === 1 ? "breaking change" : "breaking changes"],
    [accepted, "accepted"],
    [other, other === 1 ? "change that breaks nothing" : "changes that break nothing"],
  ];
  const said = parts.filter(([count]) => count > 0).map(([count, words]) => `${count.toLocaleString("en")} ${words}`);
  return said.join(", ") || "No changes";
}
