import type { CodeAddress, CodeKind } from "#contracts/code/objects.ts";
import type { PartObject } from "#contracts/code/parts.ts";
import type { CodeBase, PlannedChange } from "#contracts/code/plans.ts";
import { findChangedFields } from "./changed-fields.ts";

/** An object of the files. */
export interface FileObject extends CodeAddress {
  /** Its position in the call. */
  index: number;
  name: string;
  /** Without defaults. */
  value: Record<string, unknown>;
  hash: string;
}

/** One object of the files or of the portal, with the other one if there is any. */
export interface Compared {
  address: string;
  file?: FileObject;
  portal?: PartObject;
  change?: PlannedChange;
}

export function addressOf({ kind, parent, key }: CodeAddress): string {
  return parent === undefined ? `${kind}/${key}` : `${kind}/${parent}/${key}`;
}

type ChangedIn = PlannedChange["changedIn"];

/** Where two that differ were changed since the base; without one, in the files. */
function whereChanged(base: string | undefined, file: string | undefined, portal: string | undefined): ChangedIn {
  if (base === undefined || base === portal) return "files";
  return base === file ? "portal" : "both";
}

function planCreation(file: FileObject, base: string | undefined): PlannedChange {
  const { kind, parent, key, name, hash } = file;
  return {
    ...{ kind, parent, key, name, action: "create", fields: [], portalFields: [], secrets: [] },
    // One that was there when the files were pulled was deleted in the portal.
    changedIn: base === undefined ? "files" : base === hash ? "portal" : "both",
  };
}

function planDeletion(
  { kind, parent, key, name, hash, applied, value }: PartObject,
  base: string | undefined,
): PlannedChange {
  return {
    ...{ kind, parent, key, name, action: "delete", fields: [], secrets: [] },
    portalFields: applied && applied.hash !== hash ? findChangedFields(applied.value, value) : [],
    // One that the files never had was created in the portal.
    changedIn: base === undefined ? "portal" : base === hash ? "files" : "both",
  };
}

function planChange(file: FileObject, portal: PartObject, base: string | undefined): PlannedChange | undefined {
  if (file.hash === portal.hash && portal.secretsDiffer.length === 0) return undefined;
  const { kind, parent, key } = file;
  const { name, applied } = portal;
  return {
    ...{ kind, parent, key, name, action: "change", secrets: portal.secretsDiffer },
    changedIn: file.hash === portal.hash ? "files" : whereChanged(base, file.hash, portal.hash),
    fields: findChangedFields(portal.value, file.value),
    portalFields: applied && applied.hash !== portal.hash ? findChangedFields(applied.value, portal.value) : [],
  };
}

/** An object as it was when the files were pulled. */
export type BaseObject = Pick<CodeBase, "hash" | "appliedAt">;

/** The hash of what both had: what was pulled, or what files applied after that. */
function findBase(pulled: BaseObject | undefined, applied: PartObject["applied"] | undefined): string | undefined {
  if (!pulled) return applied?.hash;
  const isOlder = pulled.appliedAt !== undefined && applied && applied.at !== pulled.appliedAt;
  return isOlder ? applied.hash : pulled.hash;
}

/**
 * Compares files with the portal.
 * @param order of kinds in the result
 * @param base by address
 */
export function compareObjects(
  files: readonly FileObject[],
  portal: readonly PartObject[],
  { base, order }: { base: ReadonlyMap<string, BaseObject>; order: readonly CodeKind[] },
): Compared[] {
  const byAddress = new Map<string, Compared>();
  for (const file of files) byAddress.set(addressOf(file), { address: addressOf(file), file });
  for (const one of portal) {
    const address = addressOf(one);
    byAddress.set(address, { ...byAddress.get(address), address, portal: one });
  }
  const compared = [...byAddress.values()].map((one) => {
    const { address, file, portal } = one;
    const known = findBase(base.get(address), portal?.applied);
    const change =
      file && portal
        ? planChange(file, portal, known)
        : file
          ? planCreation(file, known)
          : planDeletion(portal!, known);
    return change ? { ...one, change } : one;
  });
  const rank = ({ file, portal }: Compared) => order.indexOf((file ?? portal)!.kind);
  return compared.sort((one, other) => rank(one) - rank(other) || position(one) - position(other));
}

/** Objects of the files first, in their order. */
const position = ({ file }: Compared) => file?.index ?? Number.MAX_SAFE_INTEGER;

/** What identifies a plan: another one has another text. */
export function describePlan(compared: readonly Compared[]): string {
  const changed = compared.filter(({ change }) => change);
  return JSON.stringify(
    changed.map(({ address, file, portal, change }) => [address, portal?.hash, file?.hash, change?.secrets]).sort(),
  );
}
