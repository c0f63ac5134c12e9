import { type CodeValue, writeAddress } from "./code-object.ts";
import type { PulledObject } from "./portal-code.ts";
import type { FileObject } from "./read-files.ts";
import { hashValue, type State, type StoredObject } from "./state-file.ts";

/** Why files keep what they have. */
export type Kept =
  | "both changed"
  | "deleted here"
  | "deleted here, changed there"
  | "changed here, deleted there"
  | "only here";

export interface MergedPull {
  /** What the files are to have. */
  objects: CodeValue[];
  /** The base of the next comparison. */
  stored: State["objects"];
  /** Where files and portal stay different. */
  kept: { object: CodeValue; reason: Kept }[];
}

interface Sides {
  local: readonly FileObject[];
  pulled: readonly PulledObject[];
  stored: State["objects"];
  /** Key of the only API that is pulled. */
  api: string | undefined;
  /** Whether the portal counts where both changed. */
  overwrite: boolean;
}

/**
 * Compares three ways: what changed in the portal comes into the files, what changed in the files stays. Where both changed,
 * the files stay as they are. Without a base the portal counts: Git has what the files had.
 */
export function mergePull({ local, pulled, stored, api, overwrite }: Sides): MergedPull {
  const merged: MergedPull = { objects: [], stored: {}, kept: [] };
  const here = new Map(local.map((object) => [writeAddress(object), object]));
  const there = new Map(pulled.map((object) => [writeAddress(object), object]));
  const isPulled = (address: string) =>
    api === undefined || address === `api ${api}` || address.startsWith(`test ${api}/`);
  for (const address of new Set([...here.keys(), ...there.keys(), ...Object.keys(stored)])) {
    const [file, portal] = [here.get(address), there.get(address)];
    const base = findBase(stored[address], portal);
    if (!isPulled(address)) {
      if (file) merged.objects.push(file);
      if (base) merged.stored[address] = base;
      continue;
    }
    const { takes, reason } = decide(file, portal, base, overwrite);
    const taken = takes === "portal" ? portal : file;
    if (taken) merged.objects.push(taken);
    if (file && portal && hashValue(file.value) === hashValue(portal.value))
      merged.stored[address] = toStored(portal, file);
    else if (takes === "portal" && portal) merged.stored[address] = toStored(portal, portal);
    else if (takes === "file" && base) merged.stored[address] = base;
    if (reason && (file ?? portal)) merged.kept.push({ object: (file ?? portal)!, reason });
  }
  return merged;
}

/** What was stored, or what files applied since, as others do by Git and a pipeline. */
function findBase(stored: StoredObject | undefined, portal: PulledObject | undefined): StoredObject | undefined {
  if (!stored || stored.appliedAt === undefined || !portal?.applied || portal.applied.isDrifted) return stored;
  return portal.applied.at === stored.appliedAt ? stored : toStored(portal, portal);
}

function decide(
  file: FileObject | undefined,
  portal: PulledObject | undefined,
  base: StoredObject | undefined,
  overwrite: boolean,
): { takes: "file" | "portal"; reason?: Kept } {
  const changedHere = file && base && hashValue(file.value) !== base.local;
  const changedThere = portal && base && portal.hash !== base.hash;
  if (file && portal) {
    if (!base || overwrite) return { takes: "portal" };
    if (!changedHere) return changedThere ? { takes: "portal" } : { takes: "file" };
    return changedThere && hashValue(portal.value) !== hashValue(file.value)
      ? { takes: "file", reason: "both changed" }
      : { takes: "file" };
  }
  if (portal) {
    if (!base || overwrite) return { takes: "portal" };
    return { takes: "file", reason: changedThere ? "deleted here, changed there" : "deleted here" };
  }
  if (!file) return { takes: "portal" };
  if (!base) return { takes: "file", reason: "only here" };
  return changedHere && !overwrite ? { takes: "file", reason: "changed here, deleted there" } : { takes: "portal" };
}

/** The base of an object that files and portal have. */
export function toStored({ kind, id, hash, applied }: PulledObject, { value }: CodeValue): StoredObject {
  return {
    ...{ hash, local: hashValue(value) },
    ...(applied && !applied.isDrifted ? { isApplied: true as const } : {}),
    appliedAt: applied?.at ?? null,
    ...(kind === "api" ? { id } : {}),
  };
}
