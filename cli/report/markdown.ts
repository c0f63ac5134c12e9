import { executionName } from "../../services/test-executioner/domain/report/reported-run.ts";
import { groupCauses, toOperation } from "./causes.ts";
import type { ReportContext } from "./report-context.ts";
import type { Report } from "./to-report.ts";
import { countOf, describeCounts } from "./words.ts";

/** More is not read in a pull request; the other reports have all. */
const mostCauses = 20;

/** A summary of one screen, for a job's page and for a comment in a pull request. */
export function toMarkdown({ run, executions }: Report, { locate, title, address }: ReportContext): string {
  const causes = groupCauses(executions);
  const rows = causes.slice(0, mostCauses).map(({ execution, reason, also }) => {
    const at = locate(execution);
    const place = at ? `<br><sub>${toPlainText(at.file)}:${at.line}</sub>` : "";
    const more = also.length > 0 ? ` (and ${countOf(also.length, "other")})` : "";
    return `| ${execution.verdict === "failed" ? "Failed" : "Not evaluated"} | \`${toOperation(execution)}\`${place} | ${toPlainText(executionName(execution) + more)} | ${toPlainText(reason)} |`;
  });
  const left = causes.length - rows.length;
  return [
    `### ${toPlainText(title)}: ${describeCounts(run.counts)}`,
    "",
    ...(rows.length > 0
      ? ["| | Operation | Test | Reason |", "|---|---|---|---|", ...rows]
      : [nothingFailed(run.counts)]),
    ...(left > 0 ? ["", `${countOf(left, "other cause")} in the full report.`] : []),
    ...(address ? ["", `[The run with all that was sent and received](${address})`] : []),
    "",
  ].join("\n");
}

function nothingFailed({ regional = 0 }: Report["run"]["counts"]): string {
  if (regional === 0) return "Every test passed.";
  return `No test failed by its circle's rule: ${countOf(regional, "execution")} failed from fewer places than it says.`;
}

/** Text from an API must not become markup, a link or a mention. */
export function toPlainText(text: string): string {
  return text
    .slice(0, 400)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\r\n]+/g, " ")
    .replace(/([\\`*_{}[\]()#+!|~])/g, "\\$1")
    .replaceAll("@", "&#64;");
}
