import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError, exitCodes } from "../exit-codes.ts";

/** A report to write: `junit=report.xml`; `-` is the standard output. */
export interface WantedReport<Kind extends string> {
  kind: Kind;
  file: string;
}

/** @throws CommandError for another form, and for a kind that is not of these */
export function parseReportOf<Kind extends string>(kinds: readonly Kind[], text: string): WantedReport<Kind> {
  const [kind = "", ...rest] = text.split("=");
  const file = rest.join("=");
  const known = kinds.find((one) => one === kind);
  if (known && file) return { kind: known, file };
  const list = new Intl.ListFormat("en", { type: "disjunction" }).format(kinds);
  throw new CommandError(
    exitCodes.usage,
    `--report takes a kind and a file: --report ${kinds[0]}=FILE. Kinds are ${list}.`,
  );
}

export async function writeReportFile(file: string, text: string): Promise<void> {
  if (file === "-") {
    process.stdout.write(text);
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** In a job of GitHub Actions, adds annotations to its log and a summary to its page. */
export async function writeToGitHub(texts: { annotations(): string; summary(): string }): Promise<void> {
  if (process.env.GITHUB_ACTIONS === "true") process.stdout.write(texts.annotations());
  const { GITHUB_STEP_SUMMARY: summary } = process.env;
  if (summary) await appendFile(summary, texts.summary());
}
