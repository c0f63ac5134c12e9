import type { ChangedField, CodePlan, PlannedChange } from "#contracts/code/plans.ts";
import type { Json } from "#libraries/json/json.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { countOf } from "../report/words.ts";
import { diffLines } from "./diff-lines.ts";

/** What a plan would do, sorted by what a reader decides. */
export interface SortedPlan {
  /** Created and changed. */
  changes: PlannedChange[];
  /** Only with `--prune`. */
  deletions: PlannedChange[];
  /** Changes made in the portal that an application would overwrite. */
  drifts: PlannedChange[];
}

export function sortPlan({ items }: CodePlan, prune: boolean): SortedPlan {
  const changes = items.filter(({ action }) => action !== "delete");
  const deletions = items.filter(({ action }) => action === "delete");
  const drifts = [...changes, ...(prune ? deletions : [])].filter(({ changedIn }) => changedIn !== "files");
  return { changes, deletions, drifts };
}

/** "2 to create, 1 to change, 3 to delete; 5,004 objects are the same." */
export function describeCounts({ counts }: CodePlan, prune: boolean): string {
  const { create, change, unchanged } = counts;
  const parts = [
    ...(create > 0 ? [`${create.toLocaleString("en")} to create`] : []),
    ...(change > 0 ? [`${change.toLocaleString("en")} to change`] : []),
    ...(prune && counts.delete > 0 ? [`${counts.delete.toLocaleString("en")} to delete`] : []),
  ];
  const same = `${countOf(unchanged, "object")} ${unchanged === 1 ? "is" : "are"} the same.`;
  return parts.length > 0 ? `${parts.join(", ")}; ${same}` : `Nothing to do: ${same}`;
}

const maxCharacters = 100;

/** A value on one line. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = writeJson(value as Json);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
}

/** A changed field as lines: its values beside each other, or the lines of a text that differ. */
export function describeField({ path, before, after }: ChangedField): string[] {
  const name = path || "all fields";
  // A number whose digits a double would lose travels as its text (decision 054).
  if (name.endsWith(".targetJson")) return [`${name.slice(0, -"Json".length)}: ${before} → ${after}`];
  const isText = (value: unknown) => typeof value === "string" && value.includes("\n");
  if (typeof before === "string" && typeof after === "string" && (isText(before) || isText(after)))
    return [`${name}:`, ...diffLines(before, after).map((line) => `  ${line}`)];
  return [`${name}: ${describeValue(before)} → ${describeValue(after)}`];
}

/** What drift means for a change; undefined if there is none. */
export function describeDrift({ action, changedIn, portalFields }: PlannedChange): string | undefined {
  if (changedIn === "files") return undefined;
  const fields = portalFields
    .slice(0, 5)
    .flatMap(describeField)
    .map((line) => line.trim());
  const left = portalFields.length - 5;
  const what = fields.length > 0 ? `: ${fields.join("; ")}${left > 0 ? ` and ${left} more` : ""}` : "";
  if (action === "delete") return changedIn === "portal" ? "created in the portal" : `changed in the portal${what}`;
  if (action === "create") return "deleted in the portal since; applying creates it again";
  const effect = changedIn === "portal" ? "applying takes it back" : "here, too: applying overwrites it";
  return `changed in the portal${what}; ${effect}`;
}
