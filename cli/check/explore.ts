import { randomInt } from "node:crypto";
import type { Finding, FindingStep } from "#contracts/test-executioner/explorations.ts";
import { explore as exploreApi } from "#libraries/suite/exploration/explore.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import { openTerminal, type Terminal } from "../report/terminal.ts";
import { countOf, toDuration } from "../report/words.ts";
import { type TargetFlags, withTarget } from "./target.ts";

export interface ExploreFlags extends TargetFlags {
  seed?: string;
  maxRequests?: string;
  maxSeconds?: string;
  disposable?: true;
  json?: true;
}

/** What is sent after the end to remove what was created may take that long. */
const removingMilliseconds = 15_000;

/** Looks for faults with generated requests, and prints each cause once with the shortest chain that shows it. */
export async function explore(source: string, flags: ExploreFlags): Promise<ExitCode> {
  const seed = parseNumber("--seed", flags.seed, { fallback: randomInt(2 ** 32), from: 0, to: 2 ** 32 - 1 });
  const maxRequests = parseNumber("--max-requests", flags.maxRequests, { fallback: 1_000, from: 10, to: 20_000 });
  const seconds = parseNumber("--max-seconds", flags.maxSeconds, { fallback: 300, from: 5, to: 3_600 });
  const terminal = openTerminal(flags.json ? process.stderr : process.stdout);
  return await withTarget(
    source,
    flags,
    terminal,
    async ({ document, credentials, runOne, signal, locate, isWanted }) => {
      const wanted = document.input.operations
        .filter(({ operation }) => isWanted(operation))
        .map(({ operation: { method, path } }) => ({ method, path }));
      if (wanted.length === 0) throw new CommandError(exitCodes.usage, "No operation of the document is chosen.");
      const ending = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
      const interrupting = new AbortController();
      ending.addEventListener("abort", () => setTimeout(() => interrupting.abort(), removingMilliseconds).unref());
      const began = performance.now();
      const found = new Map<string, Finding>();
      const explored = await exploreApi(
        { ...document.input, wanted, sendsHostCredentials: credentials.items.length > 0 },
        {
          ...{ seed, maxRequests, changes: flags.disposable === true, signal: ending },
          call: async ({ test, captures, effect }) =>
            await runOne({ test, captures, onlyOwn: effect ? { effect } : {} }, interrupting.signal),
          onProgress: ({ requests }) =>
            terminal.showProgress(`${countOf(requests, "request")}, ${countOf(found.size, "finding")} …`),
          onFinding: (finding) => found.set(finding.key, finding),
        },
      );
      const { findings, requests } = explored;
      if (flags.json) process.stdout.write(`${JSON.stringify({ seed, ...explored }, null, 2)}\n`);
      else for (const finding of findings) writeFinding(terminal, finding, locate(finding.operation));
      const length = toDuration(performance.now() - began);
      const how = explored.isComplete ? "" : " A limit ended it before everything was tried.";
      terminal.write(`\n${countOf(findings.length, "finding")} in ${countOf(requests, "request")}, ${length}.${how}\n`);
      terminal.write(`Repeat it with --seed ${seed}\n`);
      return findings.length > 0 ? exitCodes.failed : exitCodes.passed;
    },
  );
}

function writeFinding(
  terminal: Terminal,
  { message, steps, also }: Finding,
  at: { file: string; line: number } | undefined,
) {
  terminal.write(`\n${terminal.color("red", "✗")} ${message}\n`);
  for (const step of steps.filter(({ phase }) => phase !== "tearDown")) terminal.write(`  ${describeStep(step)}\n`);
  const others = also.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  if (others.length > 0) terminal.write(terminal.color("dim", `  Also: ${others.join(", ")}\n`));
  if (at) terminal.write(terminal.color("dim", `  ${at.file}:${at.line}\n`));
}

const longestBody = 200;

/** `POST http://localhost:8080/books {"title":5} → 201` */
function describeStep({ test, request, response }: FindingStep): string {
  const { method, url, body } = request ?? { method: test.method.toUpperCase(), url: test.path, body: null };
  const sent = body ? ` ${body.replace(/\s+/g, " ").slice(0, longestBody)}${body.length > longestBody ? "…" : ""}` : "";
  return `${method} ${url}${sent} → ${response?.status ?? "no response"}`;
}

function parseNumber(
  option: string,
  text: string | undefined,
  { fallback, from, to }: { fallback: number; from: number; to: number },
): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (Number.isInteger(number) && number >= from && number <= to) return number;
  throw new CommandError(exitCodes.usage, `${option} takes a whole number from ${from} to ${to}, got "${text}".`);
}
