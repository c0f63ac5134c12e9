import type { RunCounts, RunMember, RunSource, RunSummary } from "#contracts/test-executioner/runs.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import { statusWords } from "~/features/verdict/verdict-words";
import { plural } from "~/ui/count/plural";

export const triggerWords: Record<RunTrigger, string> = {
  manual: "Manually",
  schedule: "Schedule",
  ci: "CI",
  api: "API call",
  rerun: "Run again",
};

/** The subject of a run in plain words. */
export function sourceWords(source: RunSource, counts: RunCounts): string {
  switch (source.kind) {
    case "test":
      return source.testName;
    case "tests":
      return plural(source.testCount, "test");
    case "api":
      return `${source.include === "safe" ? "Safe tests" : "All tests"} (${counts.tests.toLocaleString("en")})`;
    case "circle":
      return source.testCircleName;
    case "rerun":
      if (source.from !== undefined) return `Rerun from member ${source.from.toLocaleString("en")}`;
      return `${plural(counts.tests, "failed test")} again`;
  }
}

/** "Run of 48 tests" */
export function runTitle({ source, counts }: Pick<RunSummary, "source" | "counts">): string {
  if (source.kind === "circle") return `Run of ${source.testCircleName}`;
  return `Run of ${source.kind === "test" ? source.testName : plural(counts.tests, "test")}`;
}

export const countedVerdicts = ["failed", "errored", "blocked", "regional", "flaky", "passed", "skipped"] as const;

/** "2 failed, 46 passed"; verdicts without executions are left out. */
export function verdictsInWords(counts: RunCounts): string {
  return [...countedVerdicts, "cancelled" as const]
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status].toLocaleString("en")} ${statusWords[status].word.toLowerCase()}`)
    .join(", ");
}

/** End of a sentence about an older run, of which only the kind of start is known. */
const endingWords: Record<RunTrigger, string> = {
  manual: " manually",
  schedule: " by a schedule",
  ci: " by CI",
  api: " by an API call",
  rerun: "",
};

type Started = Pick<RunSummary, "trigger" | "startedBy">;

/** End of a sentence that says how a run was started. */
export function startedByWords(run: Started): string {
  const { trigger, startedBy } = run;
  if (!startedBy) return endingWords[trigger];
  if (startedBy.kind === "schedule") return startedBy.name ? ` by schedule “${startedBy.name}”` : endingWords.schedule;
  return ` by ${starterWords(run)}`;
}

/** Who started a run, in a list. */
export function starterWords({ trigger, startedBy }: Started): string {
  if (!startedBy) return triggerWords[trigger];
  if (startedBy.kind === "schedule") return startedBy.name ? `Schedule “${startedBy.name}”` : triggerWords.schedule;
  const { name, apiToken } = startedBy;
  if (apiToken) return `${name}, token “${apiToken}”`;
  return trigger === "ci" || trigger === "api" ? `${name} (${triggerWords[trigger]})` : name;
}

/** How long a test had failed when a run ended. */
export function sinceWords(failures: number, isWhole = true): string {
  if (!isWhole) return `failing for at least ${plural(failures, "run")}`;
  return failures === 1 ? "new" : `failing for ${plural(failures, "run")}`;
}

/** The announcement of a run's end to screen readers. */
export function endInWords(run: RunSummary): string {
  const verdict = run.verdict ? statusWords[run.verdict].word.toLowerCase() : "cancelled";
  const counted = verdictsInWords(run.counts);
  return `The run has ended: ${verdict}${counted ? `. ${counted}.` : "."}`;
}

export function isFailing({ verdict }: Pick<RunMember, "verdict">): boolean {
  return verdict === "failed" || verdict === "errored" || verdict === "blocked";
}

/** The number of a run's executions that "Run failed again" repeats. */
export function failedCount({ failed, errored, blocked, regional }: RunCounts): number {
  return failed + errored + blocked + regional;
}

/** Labels setup and teardown members; the others have no label. */
export const phaseWords: Record<RunMember["phase"], string | undefined> = {
  setUp: "Set-up",
  main: undefined,
  tearDown: "Tear-down",
};

/** For a test with data "Get a book, row 2" or, where its row has a name, "Add a book: title is missing". */
export function memberName({ testName, row, rowName }: { testName: string; row?: number; rowName?: string }): string {
  if (rowName !== undefined) return `${testName}: ${rowName}`;
  return row === undefined ? testName : `${testName}, row ${row}`;
}
