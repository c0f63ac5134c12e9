import { toTemplate } from "./match-operations.ts";

/** A part of the address that moved between the servers of a document and its paths. */
export interface MovedPrefix {
  /** `/v1` */
  prefix: string;
  into: "paths" | "servers";
}

/** Of a base URL that is stored. */
const maxCharacters = 4_000;

interface Moved {
  before: { path: string };
  after: { path: string };
}

export interface PrefixOfOperations extends MovedPrefix {
  /** Whether every operation that is in both versions moved by it. Otherwise no base URL fits them all. */
  isWhole: boolean;
  /** Of the first operation that moved by it. */
  example: { before: string; after: string };
}

/** The prefix by which a path became another one; undefined where it did not, or only names of parameters differ. */
export function getMovedPrefix(before: string, after: string): MovedPrefix | undefined {
  const [old, now] = [toTemplate(before), toTemplate(after)];
  if (old === now) return undefined;
  if (now.endsWith(old)) return { prefix: now.slice(0, now.length - old.length), into: "paths" };
  if (old.endsWith(now)) return { prefix: old.slice(0, old.length - now.length), into: "servers" };
  return undefined;
}

/** The prefix by which most of the operations moved, of those that are in both versions of a document. */
export function findMovedPrefix(pairs: readonly Moved[]): PrefixOfOperations | undefined {
  const groups = new Map<string, { count: number; found: Omit<PrefixOfOperations, "isWhole"> }>();
  for (const { before, after } of pairs) {
    const moved = getMovedPrefix(before.path, after.path);
    if (!moved) continue;
    const key = `${moved.into} ${moved.prefix}`;
    const found = { ...moved, example: { before: before.path, after: after.path } };
    const group = groups.get(key) ?? { count: 0, found };
    groups.set(key, group);
    group.count += 1;
  }
  const [most] = [...groups.values()].sort((one, other) => other.count - one.count);
  return most && { ...most.found, isWhole: most.count === pairs.length };
}

/**
 * A base URL that sends the same requests after a prefix moved; undefined where it stays as it is: it does not end
 * with what moved into the paths, or ends already with what moved into the servers.
 * @param baseUrl may contain `{{variables}}`
 */
export function moveBaseUrl(baseUrl: string, { prefix, into }: MovedPrefix): string | undefined {
  if (prefix.includes("{")) return undefined;
  const [, origin = "", path = "", rest = ""] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(.*)$/is.exec(baseUrl.trim())!;
  const written = path.replace(/\/+$/, "");
  const hasPrefix = written.endsWith(prefix);
  if (into === "paths") return hasPrefix ? origin + written.slice(0, -prefix.length) + rest : undefined;
  const longer = origin + written + prefix + rest;
  return hasPrefix || longer.length > maxCharacters ? undefined : longer;
}

/** Where requests of a path go. */
export function joinBaseUrl(baseUrl: string, path: string): string {
  return (
    baseUrl
      .trim()
      .replace(/[?#].*$/s, "")
      .replace(/\/+$/, "") + path
  );
}
