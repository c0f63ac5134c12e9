import { availableParallelism } from "node:os";
import { type ReadDocument, readDocument } from "../document/read-document.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Locate } from "../report/locating.ts";
import { openTerminal, type Terminal, writeCircle, writeOutcome } from "../report/terminal.ts";
import { toExitCode, toReport } from "../report/to-report.ts";
import { countOf } from "../report/words.ts";
import { parseReport, writeReports } from "../report/write-reports.ts";
import { parseVariables } from "../variables.ts";
import { productVersion } from "../version.ts";
import { Credentials } from "./credentials.ts";
import { createEngine } from "./engine.ts";
import { type CheckPlan, planCheck } from "./plan-check.ts";
import { type Ended, runCircle } from "./run-circle.ts";

export interface CheckFlags {
  url?: string;
  token?: string;
  apiKey?: string;
  basic?: string;
  header: string[];
  variable: string[];
  only: string[];
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
  const variables = parseVariables(flags.variable);
  const concurrency = parseConcurrency(flags.concurrency);
  const terminal = openTerminal(flags.json ? process.stderr : process.stdout);
  const url = flags.url === undefined ? undefined : parseUrl(flags.url);
  const isAddress = /^https?:\/\//i.test(source);
  const engine = createEngine({
    urls: [...(url ? [url] : []), ...(isAddress ? [source] : [])],
    userAgent: `assurance/${productVersion}`,
  });
  const stopping = new AbortController();
  const stop = () => stopping.abort(new CommandError(exitCodes.notJudged, "Stopped."));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    const document = await readDocument(source, engine.egress);
    const baseUrl = url ?? requireUrl(document);
    const { title, securitySchemes } = document.inspection;
    writeProblems(terminal, document);
    const credentials = new Credentials(toSecrets(flags), securitySchemes);
    const plan = planCheck(document.input, {
      ...{ url: baseUrl, credentials, variables, isReadOnly: flags.readOnly === true, sendsInvalid: flags.invalid },
      included: new Set(flags.include),
      isWanted: createFilter(flags.only),
    });
    if (flags.list) {
      listPlan(plan);
      return exitCodes.passed;
    }
    if (plan.circles.length === 0) return explainNothing(terminal, plan);

    const startedAt = new Date();
    const runOne = engine.connect({ baseUrl, input: document.input, credentials, variables });
    const byCircle: Ended[][] = plan.circles.map(() => []);
    const waiting = plan.circles.entries();
    // Each takes the next circle that waits.
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const [index, circle] of waiting) {
          const ended = byCircle[index]!;
          await runCircle(circle, {
            ...{ runOne, concurrency, signal: stopping.signal },
            onEnded: (one) => ended.push(one),
          });
          ended.sort((one, other) => one.position - other.position);
          const { executions } = toReport(ended.filter(isOfUse), { apiName: title, baseUrl, startedAt });
          if (terminal.isTerminal) writeCircle(terminal, circle.name, executions);
        }
      }),
    );
    const report = toReport(byCircle.flat().filter(isOfUse), { apiName: title, baseUrl, startedAt });
    const locate = createLocate(document, isAddress ? undefined : source);
    writeOutcome(terminal, report, locate);
    writeLeftOut(terminal, plan);
    await writeReports(report, reports, { locate, title: title || source });
    return toExitCode(report.run);
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
    await engine.stop();
  }
}

/** What is wrong with the document itself: tests may not mean what its authors think. */
function writeProblems(terminal: Terminal, { name, problems }: ReadDocument): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  for (const { file, line, column, message } of errors.slice(0, 5))
    terminal.write(terminal.color("yellow", `! ${file ?? name}:${line}:${column}  ${message}\n`));
  if (errors.length > 5)
    terminal.write(terminal.color("yellow", `! and ${countOf(errors.length - 5, "other error")}\n`));
}

/** There was nothing to remove where each invalid request was refused, as it should be. */
const isOfUse = ({ result: { cause } }: Ended) => cause?.code !== "nothing_to_remove";

/** Options are seen by other users of the machine; the environment is not. */
function toSecrets({ token, apiKey, basic, header }: CheckFlags) {
  const { API_TOKEN, API_KEY, API_BASIC } = process.env;
  return { token: token ?? API_TOKEN, apiKey: apiKey ?? API_KEY, basic: basic ?? API_BASIC, headers: header };
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash)
    return text.replace(/\/+$/, "");
  throw new CommandError(
    exitCodes.usage,
    `--url takes the address of the API, such as http://localhost:8080/v1, got "${text}".`,
  );
}

function requireUrl({ inspection: { servers } }: ReadDocument): never {
  const [named] = servers.flatMap(({ resolvedUrl }) => resolvedUrl ?? []);
  const example = named ?? "http://localhost:8080";
  const said = named ? ` The document names ${named}.` : "";
  throw new CommandError(
    exitCodes.usage,
    `Add --url: where the API runs. Requests that create, change and delete what they created are sent there.${said} For example: --url ${example}`,
  );
}

function parseConcurrency(text: string | undefined): number {
  if (text === undefined) return Math.max(4, availableParallelism());
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 50) return number;
  throw new CommandError(exitCodes.usage, `--concurrency takes a whole number from 1 to 50, got "${text}".`);
}

/** Operations by a part of "GET /books", by operationId or by tag. */
function createFilter(only: readonly string[]) {
  const wanted = only.map((text) => text.toLowerCase());
  return (operation: { method: string; path: string; operationId: string | null; tags: string[] }): boolean => {
    if (wanted.length === 0) return true;
    const name = `${operation.method} ${operation.path}`.toLowerCase();
    const names = [operation.operationId ?? "", ...operation.tags].map((one) => one.toLowerCase());
    return wanted.some((text) => name.includes(text) || names.includes(text));
  };
}

function createLocate(document: ReadDocument, file: string | undefined): Locate {
  return (operation) => {
    const position = file === undefined ? undefined : document.locate(operation);
    return position && { ...position, file: file! };
  };
}

function listPlan({ circles, leftOut }: CheckPlan): void {
  for (const { name, steps } of circles) {
    process.stdout.write(`${name}\n`);
    for (const { test, phase } of steps) {
      const when = { setUp: "first ", main: "", tearDown: "at the end " }[phase];
      const rows = test.data && test.data.length > 1 ? `, ${countOf(test.data.length, "row")}` : "";
      process.stdout.write(`  ${when}${test.method.toUpperCase()} ${test.path}  ${test.name}${rows}\n`);
    }
  }
  for (const [reason, operations] of leftOut)
    process.stdout.write(`Left out: ${[...operations].join(", ")}. ${reason}\n`);
}

function explainNothing(terminal: Terminal, { leftOut, missingCredentials }: CheckPlan): ExitCode {
  if (missingCredentials.size > 0) {
    const wanted = new Intl.ListFormat("en").format(missingCredentials);
    throw new CommandError(
      exitCodes.credentials,
      `The API asks for ${wanted}, and none was given, so nothing was sent. Use --api-key, --token, --basic or --header, or the variables API_KEY, API_TOKEN and API_BASIC of the environment.`,
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
