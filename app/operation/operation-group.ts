import { pathGroupOf } from "../../services/kit/openapi/path-group.ts";

/** What an operation stands under in a list: a tag, or where it has none the first part of its path. */
export interface OperationGroupKey {
  kind: "tag" | "prefix";
  name: string;
}

export function groupKeyOf({ tag, path }: { tag: string; path: string }): OperationGroupKey {
  return tag ? { kind: "tag", name: tag } : { kind: "prefix", name: pathGroupOf(path) };
}

/** As an address says it; undefined where it names none. */
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

export function groupName({ kind, name }: OperationGroupKey): string {
  if (kind === "tag") return name || "Without tag";
  return name.startsWith("/") ? name : `/${name}`;
}
