import { createHash } from "node:crypto";
import type { KnownSource, SourceState } from "./plan.ts";

/** Identifies the same files, whatever they are called: by format and name of their collection. */
export const toCollectionKey = (format: string, name: string) => `${format} ${name}`.slice(0, 1_000);

/** Keys of named things, the same for the same files: names with what contains them, numbered where they repeat. */
export function createToKey(): (...names: string[]) => string {
  const counts = new Map<string, number>();
  return (...names) => {
    const text = JSON.stringify(names);
    const plain = text.length > 500 ? `${text.slice(0, 400)} ${toHash(text)}` : text;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    return count === 1 ? plain : `${plain}~${count}`;
  };
}

export const toHash = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 24);

/** What the files said, say now, and the portal has, compared. */
export function compareSource(known: KnownSource | undefined, hash: string): SourceState {
  if (!known) return "new";
  if (known.hash === hash) return "unchanged";
  return known.isEdited ? "edited" : "changed";
}

/** Of one kind, by key. */
export const ofKind = (known: readonly KnownSource[], kind: KnownSource["kind"]) =>
  new Map(known.flatMap((one) => (one.kind === kind ? [[one.key, one] as const] : [])));
