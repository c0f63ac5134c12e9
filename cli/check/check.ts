import { availableParallelism } from "node:os";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import { openTerminal, type Terminal, writeCircle, writeOutcome } from "../report/terminal.ts";
import { toExitCode, toReport } from "../report/to-report.ts";
import { countOf } from "../report/words.ts";
import { parseReport, writeReports } from "../report/write-reports.ts";
import { type CheckPlan, planCheck } from "./plan-check.ts";
import { type Ended, runCircle } from "./run-circle.ts";
import { type TargetFlags, withTarget } from "./target.ts";

export interface CheckFlags extends TargetFlags {
  include: string[];
  readOnly?: true;
  invalid: boolean;
  concurrency?: string;
  report: string[];
  json?: true;
  list?: true;
}

/** Runs the suite of a document against a server, in this process. Nothing is stored. */
export async function check(source: string, flags: CheckFlags): Promise<ExitCode> {
  const reports = [...flags.report.map(parseReport), ...(flags.json ? [parseReport("json=-")] : [])];
  const concurrency = parseConcurrency(flags.concurrency);
  const terminal = openTerminal(flags.json ? process.stderr : process.stdout);
  return await withTarget(source, flags, terminal, async ({ document, baseUrl, credentials, variables, ...target }) => {
    const plan = planCheck(document.input, {
      ...{ url: baseUrl, credentials, variables, isReadOnly: flags.readOnly === true, sendsInvalid: flags.invalid },
      ...{ included: new Set(flags.include), isWanted: target.isWanted },
    });
    if (flags.list) {
      listPlan(terminal, plan);
      return exitCodes.passed;
    }
    if (plan.circles.length === 0) return explainNothing(terminal, plan);

    const startedAt = new Date();
    const { title } = document.inspection;
    const byCircle: Ended[][] = plan.circles.map(() => []);
    const waiting = plan.circles.entries();
    // Each takes the next circle that waits.
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const [index, circle] of waiting) {
          const ended = byCircle[index]!;
          await runCircle(circle, {
            ...{ runOne: target.runOne, concurrency, signal: target.signal },
            onEnded: (one) => ended.push(one),
          });
          ended.sort((one, other) => one.position - other.position);
          const { executions } = toReport(ended.filter(isOfUse), { apiName: title, baseUrl, startedAt });
          if (terminal.isTerminal) writeCircle(terminal, circle.name, executions);
        }
      }),
    );
    const report = toReport(byCircle.flat().filter(isOfUse), { apiName: title, baseUrl, startedAt });
    writeOutcome(terminal, report, target.locate);
    writeLeftOut(terminal, plan);
    await writeReports(report, reports, { locate: target.locate, title: title || source });
    return toExitCode(report.run);
  });
}

/** There was nothing to remove where each invalid request was refused, as it should be. */
const isOfUse = ({ result: { cause } }: Ended) => cause?.code !== "nothing_to_remove";

function parseConcurrency(text: string | undefined): number {
  if (text === undefined) return Math.max(8, availableParallelism());
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 50) return number;
  throw new CommandError(exitCodes.usage, `--concurrency takes a whole number from 1 to 50, got "${text}".`);
}

function listPlan(terminal: Terminal, { circles, leftOut }: CheckPlan): void {
  for (const { name, steps } of circles) {
    terminal.write(`${name}\n`);
    for (const { test, phase } of steps) {
      const when = { setUp: "first ", main: "", tearDown: "at the end " }[phase];
      const rows = test.data && test.data.length > 1 ? `, ${countOf(test.data.length, "row")}` : "";
      terminal.write(`  ${when}${test.method.toUpperCase()} ${test.path}  ${test.name}${rows}\n`);
    }
  }
  for (const [reason, operations] of leftOut) terminal.write(`Left out: ${[...operations].join(", ")}. ${reason}\n`);
}

function explainNothing(terminal: Terminal, { leftOut, missingCredentials }: CheckPlan): ExitCode {
  if (missingCredentials.size > 0) {
    const wanted = new Intl.ListFormat("en").format(missingCredentials);
    throw new CommandError(
      exitCodes.credentials,
      `The API requires ${wanted}, and none was given, so nothing was sent. Use --api-key, --token, --basic, --client-id, --certificate or --header, or the variables API_KEY, API_TOKEN and API_BASIC of the environment.`,
    );
  }
  for (const [reason, operations] of leftOut) terminal.write(`${[...operations].slice(0, 5).join(", ")}: ${reason}\n`);
  throw new CommandError(exitCodes.usage, "Nothing to test: no operation of the document is chosen.");
}

/** One line a reason: the list of all is a flag away. */
function writeLeftOut(terminal: Terminal, { leftOut }: CheckPlan): void {
  for (const [reason, operations] of leftOut) {
    const [first] = operations;
    const what = operations.size === 1 ? first : countOf(operations.size, "operation");
    terminal.write(terminal.color("dim", `Left out, ${what}: ${reason}\n`));
  }
}
