import type { CodePlan, PlannedChange } from "#contracts/code/plans.ts";
import type { Terminal } from "../report/terminal.ts";
import { countOf } from "../report/words.ts";
import { describeAddress, writeAddress } from "./code-object.ts";
import { describeCounts, describeDrift, describeField, sortPlan } from "./describe-plan.ts";
import { locate } from "./positions.ts";
import type { FileObject } from "./read-files.ts";

const maxChanges = 200;
const maxDeletions = 20;
const marks = { create: ["green", "+"], change: ["yellow", "~"], delete: ["red", "-"] } as const;

/** What would be created and changed, each with its fields, then what is only in the portal, then the counts. */
export function writePlan(
  terminal: Terminal,
  plan: CodePlan,
  { objects, prune }: { objects: readonly FileObject[]; prune: boolean },
): void {
  const { changes, deletions } = sortPlan(plan, prune);
  const files = new Map(objects.map((object) => [writeAddress(object), object]));
  for (const change of changes.slice(0, maxChanges)) writeChange(terminal, change, files.get(writeAddress(change)));
  if (changes.length > maxChanges) terminal.write(`and ${countOf(changes.length - maxChanges, "other change")}\n`);
  if (deletions.length > 0) writeDeletions(terminal, deletions, prune);
  if (plan.items.length > 0) terminal.write("\n");
  terminal.write(`${describeCounts(plan, prune)}\n`);
}

function writeChange(terminal: Terminal, change: PlannedChange, object: FileObject | undefined): void {
  const [color, mark] = marks[change.action];
  const at = object ? `  ${terminal.color("dim", `${object.file.name}:${locate(object.file, object.pointer)}`)}` : "";
  terminal.write(`${terminal.color(color, mark)} ${describeAddress(change)}  ${oneLine(change.name)}${at}\n`);
  for (const line of change.fields.flatMap(describeField)) {
    const [side] = /^\s+([-+]) /.exec(line)?.slice(1) ?? [];
    const shown = side === undefined ? line : terminal.color(side === "+" ? "green" : "red", line);
    terminal.write(`    ${shown}\n`);
  }
  if (change.secrets.length > 0) terminal.write(`    sets the value of ${change.secrets.join(", ")}\n`);
  const drift = describeDrift(change);
  if (drift) terminal.write(`    ${terminal.color("yellow", `! ${oneLine(drift)}`)}\n`);
}

function writeDeletions(terminal: Terminal, deletions: readonly PlannedChange[], prune: boolean): void {
  const title = prune ? "Deleted, since no file has it" : "Only in the portal; --prune deletes it, and pull writes it";
  terminal.write(`\n${terminal.color("bold", title)}\n`);
  for (const change of deletions.slice(0, prune ? maxChanges : maxDeletions)) {
    const drift = describeDrift(change);
    const mark = prune ? terminal.color("red", "-") : " ";
    terminal.write(
      `${mark} ${describeAddress(change)}  ${oneLine(change.name)}${drift ? terminal.color("yellow", `  ! ${oneLine(drift)}`) : ""}\n`,
    );
  }
  const left = deletions.length - (prune ? maxChanges : maxDeletions);
  if (left > 0) terminal.write(`  and ${countOf(left, "other object")}\n`);
}

/** Names and values may have any characters: none may move the cursor. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, " ");
