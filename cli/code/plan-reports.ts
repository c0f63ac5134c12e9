import type { CodePlan, PlannedChange } from "#contracts/code/plans.ts";
import { toPlainText } from "../report/markdown.ts";
import { countOf } from "../report/words.ts";
import { describeAddress } from "./code-object.ts";
import { describeCounts, describeDrift, describeValue, sortPlan } from "./describe-plan.ts";

/** A plan for programs. */
export function toJson(plan: CodePlan): string {
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/** More is not read in a pull request. */
const maxRows = 50;
const maxFields = 5;
const words = { create: "Created", change: "Changed", delete: "**Deleted**" } as const;

/** A summary of one screen, for a comment in a pull request. */
export function toMarkdown(plan: CodePlan, prune: boolean): string {
  const { changes, deletions, drifts } = sortPlan(plan, prune);
  const shown = [...changes, ...(prune ? deletions : [])];
  const rows = shown.slice(0, maxRows).map(toRow);
  const left = shown.length - rows.length;
  return [
    `### Assurance as code: ${describeCounts(plan, prune)}`,
    ...(rows.length > 0 ? ["", "| | Object | Fields |", "|---|---|---|", ...rows] : []),
    ...(left > 0 ? ["", `${countOf(left, "other change")} in the full plan.`] : []),
    ...(drifts.length > 0
      ? [
          "",
          `**${countOf(drifts.length, "object")} changed in the portal**: applying needs \`--overwrite\`, or pull first.`,
        ]
      : []),
    ...(!prune && deletions.length > 0
      ? ["", `${countOf(deletions.length, "object")} only in the portal; \`--prune\` would delete them.`]
      : []),
    ...(plan.missingSecrets.length > 0 ? ["", `Secrets without a value: ${plan.missingSecrets.join(", ")}.`] : []),
    "",
  ].join("\n");
}

function toRow(change: PlannedChange): string {
  const { action, name, fields } = change;
  const shown = fields
    .slice(0, maxFields)
    .map(({ path, before, after }) =>
      toPlainText(`${path || "all fields"}: ${describeValue(before)} → ${describeValue(after)}`),
    );
  const left = fields.length - shown.length;
  const drift = describeDrift(change);
  const lines = [
    ...shown,
    ...(left > 0 ? [`and ${countOf(left, "other field")}`] : []),
    ...(drift ? [`**${toPlainText(drift)}**`] : []),
  ];
  return `| ${words[action]} | ${toPlainText(describeAddress(change))}<br><sub>${toPlainText(name)}</sub> | ${lines.join("<br>")} |`;
}
