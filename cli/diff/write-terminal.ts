import type { Terminal } from "../report/terminal.ts";
import { countOf } from "../report/words.ts";
import { type DiffReport, describeChanges } from "./diff-report.ts";
import { toName } from "./found-change.ts";
import type { JudgedChange } from "./judge.ts";
import type { Touched } from "./touched.ts";

/** One line a change, then what of the portal is touched, then the counts. */
export function writeDiff(terminal: Terminal, report: DiffReport): void {
  for (const change of report.changes) writeChange(terminal, change);
  if (report.touched) writeTouched(terminal, report.touched);
  const unneeded = report.unneeded.map(
    ({ line, operation, rule }) => `${report.acceptedFile}:${line}  ${operation} (${rule})`,
  );
  writeList(terminal, "Acceptances that are no longer needed", unneeded);
  if (report.changes.length > 0) terminal.write("\n");
  const same = report.unchangedOperations;
  terminal.write(
    `${describeChanges(report.changes)}; ${countOf(same, "operation")} ${same === 1 ? "is" : "are"} the same.\n`,
  );
}

function writeChange(terminal: Terminal, change: JudgedChange): void {
  const { fails, accepted, breaking, at, rule, sentence } = change;
  const [color, mark] = fails
    ? (["red", "✗"] as const)
    : accepted
      ? (["green", "✓"] as const)
      : breaking
        ? (["yellow", "!"] as const)
        : (["dim", "-"] as const);
  const until = accepted ? `  Accepted until ${accepted.until}: ${oneLine(accepted.reason)}` : "";
  const place = terminal.color("dim", `${at.file}:${at.line}`);
  terminal.write(
    `${terminal.color(color, mark)} ${place}  ${toName(change)}  ${oneLine(sentence)} ${terminal.color("dim", `(${rule})`)}${until}\n`,
  );
}

function writeTouched(terminal: Terminal, { tests, otherTests, circles, alertRules, notes, unknown }: Touched): void {
  if (unknown) terminal.write(`\nTests, circles, schedules and alert rules are not listed: ${unknown}.\n`);
  const breaks = tests.flatMap(({ name, operation, effects }) =>
    effects.map((effect) => `${name} (${operation})  ${effect}`),
  );
  writeList(terminal, "Tests that break", breaks);
  if (otherTests > 0) {
    const words = `${countOf(otherTests, "other test")} of changed operations`;
    terminal.write(`\n${words}: nothing was found to break.\n`);
  }
  const runs = circles.map(({ name, schedules }) =>
    schedules.length > 0 ? `${name}  scheduled: ${schedules.join("; ")}` : name,
  );
  writeList(terminal, "Circles that run them", runs);
  writeList(terminal, "Alert rules that apply", alertRules);
  writeList(terminal, "Resources and base URLs", notes);
}

function writeList(terminal: Terminal, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  terminal.write(`\n${terminal.color("bold", title)}\n`);
  for (const line of lines) terminal.write(`  ${oneLine(line)}\n`);
}

/** Names and values of a document may have any characters: none may move the cursor. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, " ");
