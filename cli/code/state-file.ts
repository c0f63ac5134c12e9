import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, type Json } from "#libraries/json/json.ts";
import { writeJson } from "#libraries/json/write-json.ts";

/** An object as it was when the files were pulled or applied last. */
export interface StoredObject {
  /** The portal's. */
  hash: string;
  /** Of what the files have. */
  local: string;
  /** Whether files applied it, and nothing changed it since: the portal knows its base itself, and also what others applied. */
  isApplied?: true;
  /** When files had applied it last, null: never; undefined: an older version wrote this. */
  appliedAt?: string | null;
  /** Of an API: its id, by which an organization is recognized. */
  id?: string;
}

/** The base of the comparison of files and portal: what both had the last time. */
export interface State {
  /** Address of the portal. */
  portal: string;
  /** By address, as writeAddress gives it. */
  objects: Record<string, StoredObject>;
}

const pathIn = (folder: string) => join(folder, ".state", "base.json");

/** The state of a folder; empty where there is none, or only one of another portal. */
export async function readState(folder: string, portal: string): Promise<State> {
  const text = await readFile(pathIn(folder), "utf8").catch(() => undefined);
  const nothing = { portal, objects: {} };
  try {
    const stored = text === undefined ? nothing : (JSON.parse(text) as State);
    return stored.portal === portal && typeof stored.objects === "object" ? stored : nothing;
  } catch {
    return nothing;
  }
}

/** Writes it, in a folder that Git leaves out: others have pulled at other times. */
export async function writeState(folder: string, state: State): Promise<void> {
  await mkdir(join(folder, ".state"), { recursive: true });
  await writeFile(join(folder, ".state", ".gitignore"), "*\n");
  await writeFile(pathIn(folder), `${JSON.stringify(state)}\n`);
}

/** Of equal values the same, whatever the order of their members. */
export function hashValue(value: Json): string {
  return createHash("sha256")
    .update(writeJson(sortMembers(value)))
    .digest("hex")
    .slice(0, 24);
}

function sortMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}
