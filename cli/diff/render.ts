import { toAnnotation } from "../report/annotations.ts";
import { toPlainText } from "../report/markdown.ts";
import { countOf } from "../report/words.ts";
import { countChanges, type DiffReport, describeChanges } from "./diff-report.ts";
import { toName } from "./found-change.ts";
import type { JudgedChange } from "./judge.ts";
import type { Touched } from "./touched.ts";

export function toJson({ changes, ...report }: DiffReport): string {
  const { failing, ...counts } = countChanges(changes);
  return `${JSON.stringify({ ...report, fails: failing > 0, counts, changes }, null, 2)}\n`;
}

/** More is not read in a pull request; the other reports have all. */
const maxRows = 50;

/** A summary of one screen, for a job's page and for a comment in a pull request. */
export function toMarkdown({ title, changes, touched, unneeded, acceptedFile }: DiffReport): string {
  const rows = changes.slice(0, maxRows).map((change) => {
    const { at, rule, sentence, accepted } = change;
    const until = accepted ? `<br><sub>Until ${accepted.until}: ${toPlainText(accepted.reason)}</sub>` : "";
    const place = `<br><sub>${toPlainText(at.file)}:${at.line}</sub>`;
    return `| ${toWord(change)} | ${toPlainText(toName(change))}${place} | ${toPlainText(sentence)}${until} | ${toPlainText(rule)} |`;
  });
  const left = changes.length - rows.length;
  const table = ["", "| | Operation | Change | Rule |", "|---|---|---|---|", ...rows];
  return [
    `### ${toPlainText(title)}: ${describeChanges(changes)}`,
    ...(rows.length > 0 ? table : []),
    ...(left > 0 ? ["", `${countOf(left, "other change")} in the full report.`] : []),
    ...(touched ? listTouched(touched) : []),
    ...toList(
      `No longer needed in ${acceptedFile}`,
      unneeded.map(({ line, operation, rule }) => `line ${line}: ${operation} (${rule})`),
    ),
    "",
  ].join("\n");
}

function toWord({ accepted, breaking }: JudgedChange): string {
  if (accepted) return "Accepted";
  return breaking ? "**Breaking**" : "";
}

function listTouched({ tests, circles, alertRules, notes, unknown }: Touched): string[] {
  return [
    ...(unknown ? ["", `Tests, circles, schedules and alert rules are not listed: ${toPlainText(unknown)}.`] : []),
    ...toList(
      "Tests that break",
      tests.map(({ name, operation, effects }) => `${name} (${operation}): ${effects.join(" ")}`),
    ),
    ...toList(
      "Circles that run them",
      circles.map(({ name, schedules }) =>
        schedules.length > 0 ? `${name}, scheduled ${schedules.join("; ")}` : name,
      ),
    ),
    ...toList("Alert rules that apply", alertRules),
    ...toList("Resources and base URLs", notes),
  ];
}

function toList(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const left = items.length - maxRows;
  const more = left > 0 ? [`- and ${countOf(left, "other")}`] : [];
  return [
    "",
    `**${toPlainText(title)}**`,
    "",
    ...items.slice(0, maxRows).map((one) => `- ${toPlainText(one)}`),
    ...more,
  ];
}

/** What fails at its line of the new document, and acceptances that are no longer needed at theirs. */
export function toGitHubAnnotations({ changes, unneeded, acceptedFile }: DiffReport): string {
  const failing = changes.filter(({ fails }) => fails);
  return [
    ...failing.map(({ at, rule, sentence, ...change }) =>
      toAnnotation({ level: "error", at, title: `${toName(change)}: ${rule}`, text: sentence }),
    ),
    ...unneeded.map(({ line, operation, rule }) =>
      toAnnotation({
        level: "warning",
        at: { file: acceptedFile, line, column: 1 },
        title: "The acceptance is no longer needed",
        text: `${operation} has no change by the rule ${rule} with these words.`,
      }),
    ),
  ].join("");
}
