import { createHash } from "node:crypto";
import { executionName } from "../../services/test-executioner/domain/report/reported-run.ts";
import { groupCauses, toOperation } from "./causes.ts";
import type { Locate } from "./locating.ts";
import type { Report } from "./to-report.ts";

/** Workflow commands by which GitHub shows each cause at its line of the document. */
export function toGitHubAnnotations({ executions }: Report, locate: Locate): string {
  return groupCauses(executions)
    .map(({ execution, reason }) =>
      toAnnotation({
        level: execution.verdict === "failed" ? "error" : "warning",
        at: locate(execution),
        title: `${toOperation(execution)}: ${executionName(execution)}`,
        text: reason,
      }),
    )
    .join("");
}

/** A workflow command of GitHub Actions: https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
export function toAnnotation({
  level,
  at,
  title,
  text,
}: {
  level: "error" | "warning";
  at: ReturnType<Locate>;
  title: string;
  text: string;
}): string {
  const properties = { ...(at ? { file: at.file, line: at.line, col: at.column } : {}), title };
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${written.join(",")}::${escapeData(text)}\n`;
}

const escapeData = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string) => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** GitLab's code quality report: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
export function toCodeQuality({ executions }: Report, locate: Locate): string {
  const found = groupCauses(executions).map(({ execution, reason }) => {
    const at = locate(execution);
    const operation = toOperation(execution);
    return {
      description: `${operation}: ${reason}`,
      check_name: executionName(execution),
      fingerprint: createHash("sha256")
        .update(`${operation} ${executionName(execution)} ${reason}`)
        .digest("hex"),
      severity: execution.verdict === "failed" ? "major" : "info",
      location: { path: at?.file ?? "openapi", lines: { begin: at?.line ?? 1 } },
    };
  });
  return `${JSON.stringify(found, null, 2)}\n`;
}
