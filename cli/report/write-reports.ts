import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createHarReport } from "../../services/test-executioner/domain/report/har.ts";
import { writeJsonReport } from "../../services/test-executioner/domain/report/json.ts";
import { writeJunitReport } from "../../services/test-executioner/domain/report/junit.ts";
import type { WriteReport } from "../../services/test-executioner/domain/report/reported-run.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { toCodeQuality, toGitHubAnnotations } from "./annotations.ts";
import { toHtml } from "./html.ts";
import type { Locate } from "./locating.ts";
import { toMarkdown } from "./markdown.ts";
import type { Report } from "./to-report.ts";

type Render = (report: Report, context: { locate: Locate; title: string }) => Promise<string> | string;

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
  markdown: (report, { locate, title }) => toMarkdown(report, locate, title),
  github: (report, { locate }) => toGitHubAnnotations(report, locate),
  "code-quality": (report, { locate }) => toCodeQuality(report, locate),
} satisfies Record<string, Render>;

export const reportKinds = Object.keys(renderers) as (keyof typeof renderers)[];

/** A report to write: `junit=report.xml`; `-` is the standard output. */
export interface WantedReport {
  kind: keyof typeof renderers;
  file: string;
}

/** @throws CommandError for another form */
export function parseReport(text: string): WantedReport {
  const [kind = "", ...rest] = text.split("=");
  const file = rest.join("=");
  const known = reportKinds.find((one) => one === kind);
  if (known && file) return { kind: known, file };
  const kinds = new Intl.ListFormat("en", { type: "disjunction" }).format(reportKinds);
  throw new CommandError(
    exitCodes.usage,
    `--report takes a kind and a file: --report junit=report.xml. Kinds are ${kinds}.`,
  );
}

/**
 * Writes the reports that were asked for. In a job of GitHub Actions, adds annotations to its log and a summary to its
 * page.
 */
export async function writeReports(
  report: Report,
  wanted: readonly WantedReport[],
  context: { locate: Locate; title: string },
): Promise<void> {
  for (const { kind, file } of wanted) {
    const text = await renderers[kind](report, context);
    if (file === "-") {
      process.stdout.write(text);
      continue;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  if (process.env.GITHUB_ACTIONS === "true") process.stdout.write(toGitHubAnnotations(report, context.locate));
  const { GITHUB_STEP_SUMMARY: summary } = process.env;
  if (summary) await appendFile(summary, toMarkdown(report, context.locate, context.title));
}

async function* toAsync<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
