import { getPathGroup } from "#libraries/openapi/path-group.ts";

/** The group of an operation in a list: its tag, or without one the first segment of its path. */
export interface OperationGroupKey {
  kind: "tag" | "prefix";
  name: string;
}

export function toGroupKey({ tag, path }: { tag: string; path: string }): OperationGroupKey {
  return tag ? { kind: "tag", name: tag } : { kind: "prefix", name: getPathGroup(path) };
}

/** Parsed from the address; undefined where it names none. */
export function groupKeyIn(search: URLSearchParams): OperationGroupKey | undefined {
  for (const kind of ["tag", "prefix"] as const) {
    const name = search.get(kind);
    if (name !== null) return { kind, name };
  }
  return undefined;
}

export function inAddress({ kind, name }: OperationGroupKey): { tag?: string; prefix?: string } {
  return { [kind]: name };
}

/** More open groups than these would put the whole document on one page. */
const maxOpened = 8;

/** Open groups, parsed from the address; undefined where there are none. */
export function writeGroups(groups: readonly OperationGroupKey[]): string | undefined {
  const written = groups.map(({ kind, name }) => encodeURIComponent(`${kind}:${name}`));
  return written.length > 0 ? [...new Set(written)].slice(-maxOpened).join(",") : undefined;
}

export function readGroups(search: URLSearchParams): OperationGroupKey[] {
  const written = (search.get("open") ?? "").split(",", maxOpened);
  return written.flatMap((text) => {
    const [, kind, name = ""] = /^(tag|prefix)(?:%3A|:)(.*)$/i.exec(text) ?? [];
    if (kind === undefined) return [];
    try {
      return [{ kind: kind as OperationGroupKey["kind"], name: decodeURIComponent(name) }];
    } catch {
      return [];
    }
  });
}

export function isSameGroup(one: OperationGroupKey, other: OperationGroupKey | undefined): boolean {
  return one.kind === other?.kind && one.name === other.name;
}

export function groupName({ kind, name }: OperationGroupKey): string {
  if (kind === "tag") return name || "Without tag";
  return name.startsWith("/") ? name : `/${name}`;
}
