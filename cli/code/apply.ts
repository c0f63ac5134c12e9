import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { CodeAddress } from "#contracts/code/objects.ts";
import type { CodePlan } from "#contracts/code/plans.ts";
import type { CodeApplication } from "#contracts/test-registry/code.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Connection } from "../portal/connection.ts";
import { openTerminal, type Terminal } from "../report/terminal.ts";
import { countOf } from "../report/words.ts";
import { writeAddress } from "./code-object.ts";
import { sortPlan } from "./describe-plan.ts";
import { toStored } from "./merge-pull.ts";
import {
  applyObjects,
  type PulledObject,
  planObjects,
  pullObjects,
  readApplication,
  stageDocuments,
  toFileError,
} from "./portal-code.ts";
import { toCommandError } from "./positions.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { readProvenance } from "./provenance.ts";
import { toVariable } from "./secrets.ts";
import { writeState } from "./state-file.ts";
import { writePlan } from "./write-plan.ts";

export interface ApplyFlags {
  api?: string;
  prune?: true;
  overwrite?: true;
  yes?: true;
}

/** Makes the portal have what the files have, as one application that is completed or undone whole. */
export async function apply(folder: string | undefined, flags: ApplyFlags): Promise<ExitCode> {
  const prune = flags.prune === true;
  const prepared = await prepare(folder, flags.api);
  const { connection, files, request } = prepared;
  const planned = await planObjects(connection, request);
  const terminal = openTerminal(process.stdout);
  writePlan(terminal, planned, { objects: request.objects, prune });
  const { changes, deletions, drifts } = sortPlan(planned, prune);
  const isChange = changes.length + (prune ? deletions.length : 0) > 0;
  if (isChange) {
    requireSecrets(planned);
    if (drifts.length > 0 && !flags.overwrite)
      throw new CommandError(
        exitCodes.usage,
        `${countOf(drifts.length, "object")} changed in the portal since. "assurance pull" takes it over; --overwrite takes it back.`,
      );
    if (!flags.yes) await confirm(prune ? deletions.length : 0);
  }
  let portal = isChange ? undefined : await pullObjects(connection, request.api);
  if (isChange || (flags.yes && hasUnmanaged(portal ?? [], request.objects))) {
    const documents = await stageDocuments(connection, planned.missingDocuments, files.documents);
    const started = await applyObjects(connection, request, {
      ...{ version: planned.version, prune, overwrite: flags.overwrite === true, documents },
      provenance: await readProvenance(files.folder),
    });
    const ended = await awaitEnd(connection, started, terminal);
    if (ended.state === "undone") throw toUndone(ended, prepared);
    portal = undefined;
    terminal.write(
      isChange ? `Applied: ${describeDone(ended.counts)}.\n` : "The portal says now that these files hold them.\n",
    );
  }
  await updateState(prepared, portal ?? (await pullObjects(connection, request.api)));
  return exitCodes.passed;
}

/** Whether the portal has objects of the files which no files applied yet, as after the first pull. */
function hasUnmanaged(portal: readonly PulledObject[], objects: readonly CodeAddress[]): boolean {
  const own = new Set(objects.map(writeAddress));
  return portal.some((object) => !object.applied && own.has(writeAddress(object)));
}

function requireSecrets({ missingSecrets: missing }: CodePlan): void {
  if (missing.length > 0)
    throw new CommandError(
      exitCodes.usage,
      `Set ${new Intl.ListFormat("en").format(missing.map(toVariable))} in the environment: the portal has no value yet.`,
    );
}

/** @throws CommandError where no person can confirm, or if they don't */
async function confirm(deletions: number): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandError(exitCodes.usage, "Nothing was applied: without a terminal to confirm at, add --yes.");
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const question =
    deletions > 0 ? `Apply this, and delete ${countOf(deletions, "object")}? (y/N) ` : "Apply this? (y/N) ";
  const response = await prompt.question(question);
  prompt.close();
  if (!/^y(es)?$/i.test(response.trim())) throw new CommandError(exitCodes.usage, "Nothing was applied.");
}

const maxSeconds = 1_800;

async function awaitEnd(
  connection: Connection,
  started: CodeApplication,
  terminal: Terminal,
): Promise<CodeApplication> {
  const deadline = performance.now() + maxSeconds * 1_000;
  let current = started;
  for (
    let seconds = 0.25;
    current.state !== "applied" && current.state !== "undone";
    seconds = Math.min(2, seconds * 1.5)
  ) {
    if (performance.now() > deadline)
      throw new CommandError(
        exitCodes.notJudged,
        `The application ${current.id} is still under way; it continues by itself.`,
      );
    const sum = ({ create, change, delete: deleted }: CodeApplication["counts"]) => create + change + deleted;
    const verb = current.state === "undoing" ? "Undoing" : "Applying";
    terminal.showProgress(`${verb}: ${sum(current.done)} of ${sum(current.counts)} …`);
    await pause(seconds * 1_000);
    current = await readApplication(connection, current.id);
  }
  return current;
}

function describeDone({ create, change, delete: deleted }: CodeApplication["counts"]): string {
  const parts: [number, string][] = [
    [create, "created"],
    [change, "changed"],
    [deleted, "deleted"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString("en")} ${word}`)
    .join(", ");
}

function toUndone({ problem }: CodeApplication, { request }: Prepared): CommandError {
  const reasons = (problem?.errors ?? []).map((error) => toFileError(request.objects, error));
  const title = `Everything was undone: ${problem?.detail ?? "the portal gave no reason"}`;
  const listed = reasons.length > 0 ? `\n${toCommandError(reasons).message}` : "";
  return new CommandError(exitCodes.usage, title + listed);
}

/** What files and portal have now is the base of the next comparison. */
async function updateState(
  { connection, files, state, request: { objects, api } }: Prepared,
  portal: readonly PulledObject[],
): Promise<void> {
  const there = new Map(portal.map((object) => [writeAddress(object), object]));
  const stored = api === undefined ? {} : { ...state.objects };
  for (const object of objects) {
    const address = writeAddress(object);
    const found = there.get(address);
    if (found) stored[address] = toStored(found, object);
  }
  await writeState(files.folder, { portal: connection.access.url, objects: stored });
}
