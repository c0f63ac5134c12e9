import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { connect } from "../portal/access-file.ts";
import type { Connection } from "../portal/connection.ts";
import { warnOfVersion } from "../portal/login.ts";
import { openTerminal } from "../report/terminal.ts";
import { countOf } from "../report/words.ts";
import { findApiKey } from "./api-key.ts";
import { type CodeValue, describeAddress } from "./code-object.ts";
import { chooseFile } from "./layout.ts";
import { type Kept, type MergedPull, mergePull } from "./merge-pull.ts";
import { type PulledObject, pullObjects } from "./portal-code.ts";
import { type CodeFiles, defaultFolder, readFiles } from "./read-files.ts";
import { readState, writeState } from "./state-file.ts";
import { writeFiles } from "./write-files.ts";

export interface PullFlags {
  api?: string;
  overwrite?: true;
}

/** Writes what the portal has into files. What was changed in both stays as the files have it, and is named. */
export async function pull(folder: string | undefined, flags: PullFlags): Promise<ExitCode> {
  const connection = await connect();
  await warnOfVersion(connection);
  const local = await readFiles(folder ?? defaultFolder);
  const portal = connection.access.url;
  const state = await readState(local.folder, portal);
  const api = flags.api === undefined ? undefined : await findApiKey(connection, flags.api);
  const pulled = await pullObjects(connection, api);
  const merged = mergePull({
    ...{ local: local.objects, pulled, stored: state.objects, api },
    overwrite: flags.overwrite === true,
  });
  const documents = await readDocuments(connection, local, merged.objects);
  const written = new Map<string, string | Uint8Array | undefined>(
    writeFiles(local, merged.objects, {
      schema: `${portal}/schemas/assurance.json`,
      documents: new Map([...documents].map(([key, { path }]) => [key, path])),
    }),
  );
  for (const { path, bytes } of documents.values()) if (bytes) written.set(path, bytes);
  for (const [path, content] of written) await writeOrRemove(path, content);
  await writeState(local.folder, { portal, objects: merged.stored });
  report(local, pulled.length, [...written.keys()], merged);
  return exitCodes.passed;
}

async function writeOrRemove(path: string, content: string | Uint8Array | undefined): Promise<void> {
  if (content === undefined) return await rm(path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

interface PulledDocument {
  path: string;
  /** Undefined if the file has them. */
  bytes: Uint8Array | undefined;
}

/** The documents of APIs by key: those that the files have, and the others from the portal. */
async function readDocuments(
  connection: Connection,
  { folder, objects: before, documentPaths, documents }: CodeFiles,
  objects: readonly CodeValue[],
): Promise<Map<string, PulledDocument>> {
  const found = new Map<string, PulledDocument>();
  for (const object of objects) {
    if (object.kind !== "api") continue;
    const { sha256 } = object.value.document as { sha256: string };
    const here = documentPaths.get(object.key);
    if (here !== undefined && documents.get(sha256)?.paths.includes(here)) {
      found.set(object.key, { path: here, bytes: undefined });
      continue;
    }
    const { id, document } = object as CodeValue & Pick<PulledObject, "id" | "document">;
    const { file } = before.find(({ kind, key }) => kind === "api" && key === object.key) ?? {};
    const beside = dirname(file?.path ?? chooseFile(folder, object));
    const bytes = await connection.bytes("api-registry", `/api/v1/apis/${id}/documents/${document!.id}`);
    found.set(object.key, { path: here ?? join(beside, `openapi.${document!.format}`), bytes });
  }
  return found;
}

const reasons: Record<Kept, string> = {
  "both changed": "changed here and in the portal: the files stay as they are; --overwrite takes the portal's",
  "deleted here": "deleted here; apply --prune deletes it in the portal, pull --overwrite brings it back",
  "deleted here, changed there": "deleted here, and changed in the portal since; pull --overwrite brings it back",
  "changed here, deleted there":
    "changed here, and deleted in the portal since; apply creates it, --overwrite deletes it here",
  "only here": "not in the portal; apply creates it",
};

const maxLines = 20;

function report({ folder }: CodeFiles, count: number, written: readonly string[], { kept }: MergedPull): void {
  const terminal = openTerminal(process.stdout);
  for (const path of [...written].sort().slice(0, maxLines)) terminal.write(`  ${relative(process.cwd(), path)}\n`);
  if (written.length > maxLines) terminal.write(`  and ${countOf(written.length - maxLines, "other file")}\n`);
  const where = relative(process.cwd(), folder) || ".";
  terminal.write(
    written.length > 0
      ? `${countOf(written.length, "file")} changed in ${where}; the portal has ${countOf(count, "object")}.\n`
      : `${where} has what the portal has: ${countOf(count, "object")}.\n`,
  );
  for (const { object, reason } of kept.slice(0, maxLines)) {
    const isConflict = reason !== "only here" && reason !== "deleted here";
    terminal.write(
      `${terminal.color(isConflict ? "yellow" : "dim", "!")} ${describeAddress(object)}: ${reasons[reason]}.\n`,
    );
  }
  if (kept.length > maxLines) terminal.write(`and ${countOf(kept.length - maxLines, "other object")} that differ.\n`);
}
