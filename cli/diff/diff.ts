import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { compareDocuments } from "#libraries/openapi/comparison/compare-documents.ts";
import { isAddress, openEgress } from "../document/open-egress.ts";
import { type ReadDocument, readDocument } from "../document/read-document.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import { connect } from "../portal/access-file.ts";
import { find } from "../portal/find.ts";
import { parseReportOf, writeReportFile, writeToGitHub } from "../report/report-file.ts";
import { openTerminal } from "../report/terminal.ts";
import { countOf } from "../report/words.ts";
import { type AcceptedFile, isDay, readAcceptedFile } from "./accepted-file.ts";
import { addAcceptances } from "./add-acceptances.ts";
import { compareWithPortal, findTouched } from "./compare-with-portal.ts";
import type { DiffReport } from "./diff-report.ts";
import { type FoundChange, listChanges, type OperationChanges } from "./found-change.ts";
import { type FailOn, failingKinds, judge, toAcceptance } from "./judge.ts";
import { toGitHubAnnotations, toJson, toMarkdown } from "./render.ts";
import { toSarif } from "./sarif.ts";
import type { Touched } from "./touched.ts";
import { writeDiff } from "./write-terminal.ts";

export interface DiffFlags {
  api?: string;
  failOn?: string;
  accepted?: string;
  accept?: string;
  until?: string;
  report: string[];
  json?: true;
}

const renderers = { json: toJson, markdown: toMarkdown, sarif: toSarif };
const reportKinds = Object.keys(renderers) as (keyof typeof renderers)[];

/**
 * Compares a document with another one, or with the registered version of an API.
 * @param sources the version before and the new one, or the new one alone
 */
export async function diff(sources: [string] | [string, string], flags: DiffFlags): Promise<ExitCode> {
  const wanted = [...flags.report, ...(flags.json ? ["json=-"] : [])].map((text) => parseReportOf(reportKinds, text));
  const failOn = parseFailOn(flags.failOn);
  const today = new Date().toISOString().slice(0, 10);
  const accepting = parseAccepting(flags, today);
  if (flags.api !== undefined && sources.length === 2)
    throw new CommandError(exitCodes.usage, "Pass two documents, or one document and --api.");
  const file = await readAcceptedFile(flags.accepted, today, accepting !== undefined);
  const after = sources.at(-1)!;
  const egress = openEgress(sources.filter(isAddress));
  try {
    const document = await readDocument(after, egress);
    const compared =
      sources.length === 2
        ? compareLocally(await readDocument(sources[0], egress), document)
        : await compareRegistered(after, flags.api ?? requireTitle(document));
    const found = locateAll(listChanges(compared.operations), document);
    const accepted = accepting ? await accept(file, found, { ...accepting, failOn, today }) : file;
    const { changes, unneeded } = judge(found, accepted.acceptances, failOn);
    const report: DiffReport = {
      ...{ before: compared.before, after, title: document.inspection.title || after, failOn },
      changes: changes.sort((one, other) => Number(other.fails) - Number(one.fails)),
      unchangedOperations: compared.operations.unchangedCount,
      ...{ acceptedFile: accepted.path, unneeded },
      ...(compared.touched ? { touched: compared.touched } : {}),
    };
    const isPiped = wanted.some((one) => one.file === "-");
    writeDiff(openTerminal(isPiped ? process.stderr : process.stdout), report);
    for (const one of wanted) await writeReportFile(one.file, renderers[one.kind](report));
    await writeToGitHub({ annotations: () => toGitHubAnnotations(report), summary: () => toMarkdown(report) });
    return changes.some(({ fails }) => fails) ? exitCodes.failed : exitCodes.passed;
  } finally {
    await egress.close();
  }
}

interface Compared {
  before: string;
  operations: OperationChanges;
  touched?: Touched;
}

function compareLocally(before: ReadDocument, after: ReadDocument): Compared {
  return { before: before.name, operations: compareDocuments(before.toCompared(), after.toCompared(), JSON.parse) };
}

function requireTitle({ name, inspection: { title } }: ReadDocument): string {
  if (title) return title;
  throw new CommandError(exitCodes.usage, `${name} has no title: add --api, the name or id of the API in the portal.`);
}

async function compareRegistered(source: string, wanted: string): Promise<Compared> {
  const connection = await connect();
  const api = await find(connection, "api", wanted);
  const operations = await compareWithPortal(connection, api.id, source);
  return { before: api.name, operations, touched: await findTouched(connection, api, operations) };
}

function locateAll(changes: readonly FoundChange[], document: ReadDocument) {
  const positions = document.locateAll(changes);
  return changes.map((change, index) => ({ ...change, at: { file: document.name, ...positions[index]! } }));
}

/** Writes what fails now into the file. With `--fail-on none`, what breaks. */
async function accept(
  file: AcceptedFile,
  found: Parameters<typeof judge>[0],
  { reason, until, failOn, today }: { reason: string; until: string; failOn: FailOn; today: string },
): Promise<AcceptedFile> {
  const { changes } = judge(found, file.acceptances, failOn === "none" ? "breaking" : failOn);
  const added = changes.filter(({ fails }) => fails).map((change) => toAcceptance(change, reason, until));
  if (added.length === 0) {
    process.stderr.write("Nothing fails that could be accepted.\n");
    return file;
  }
  const text = addAcceptances(file, added, today);
  await mkdir(dirname(file.path), { recursive: true });
  await writeFile(file.path, text);
  process.stderr.write(`${countOf(added.length, "acceptance")} added to ${file.path}.\n`);
  return await readAcceptedFile(file.path, today, false);
}

function parseFailOn(text = "breaking"): FailOn {
  const known = failingKinds.find((one) => one === text);
  if (known) return known;
  throw new CommandError(exitCodes.usage, `--fail-on is breaking, any or none, got "${text}".`);
}

function parseAccepting({ accept: reason, until }: DiffFlags, today: string) {
  if (reason === undefined && until === undefined) return undefined;
  if (!reason?.trim() || until === undefined)
    throw new CommandError(
      exitCodes.usage,
      '--accept takes a reason and needs --until: --accept "why" --until 2027-01-31',
    );
  if (!isDay(until) || until < today)
    throw new CommandError(exitCodes.usage, `--until takes a future date, such as 2027-01-31, got "${until}".`);
  return { reason: reason.trim(), until };
}
