import { createHarReport } from "../../services/test-executioner/domain/report/har.ts";
import { writeJsonReport } from "../../services/test-executioner/domain/report/json.ts";
import { writeJunitReport } from "../../services/test-executioner/domain/report/junit.ts";
import type { WriteReport } from "../../services/test-executioner/domain/report/reported-run.ts";
import { toCodeQuality, toGitHubAnnotations } from "./annotations.ts";
import { toHtml } from "./html.ts";
import { toMarkdown } from "./markdown.ts";
import type { ReportContext } from "./report-context.ts";
import { parseReportOf, type WantedReport, writeReportFile, writeToGitHub } from "./report-file.ts";
import type { Report } from "./to-report.ts";

type Render = (report: Report, context: ReportContext) => Promise<string> | string;

const fromRun =
  (write: WriteReport): Render =>
  async ({ run, executions }) => {
    const pieces: string[] = [];
    for await (const piece of write(run, toAsync(executions))) pieces.push(piece);
    return pieces.join("");
  };

const renderers = {
  junit: fromRun(writeJunitReport),
  json: fromRun(writeJsonReport),
  har: fromRun(createHarReport("")),
  html: (report, { locate, title }) => toHtml(report, locate, title),
  markdown: toMarkdown,
  github: (report, { locate }) => toGitHubAnnotations(report, locate),
  "code-quality": (report, { locate }) => toCodeQuality(report, locate),
} satisfies Record<string, Render>;

type ReportKind = keyof typeof renderers;

/** @throws CommandError for another form */
export const parseReport = (text: string): WantedReport<ReportKind> =>
  parseReportOf(Object.keys(renderers) as ReportKind[], text);

/**
 * Writes the reports that were asked for. In a job of GitHub Actions, adds annotations to its log and a summary to its
 * page.
 */
export async function writeReports(
  report: Report,
  wanted: readonly WantedReport<ReportKind>[],
  context: ReportContext,
): Promise<void> {
  for (const { kind, file } of wanted) {
    await writeReportFile(file, await renderers[kind](report, context));
  }
  await writeToGitHub({
    annotations: () => toGitHubAnnotations(report, context.locate),
    summary: () => toMarkdown(report, context),
  });
}

async function* toAsync<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
