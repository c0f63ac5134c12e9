import type { ApiServer } from "#contracts/api-registry/documents.ts";

export interface Located {
  method: string;
  path: string;
}

export interface MatchedOperations<Operation> {
  pairs: { before: Operation; after: Operation }[];
  removed: Operation[];
  added: Operation[];
}

const maxPrefixes = 5;

/** A path without the names of its parameters, which no client sends. */
export function toTemplate(path: string): string {
  return path.replace(/\{[^{}]*\}/g, "{}");
}

/**
 * Matches operations by what a client sends: method and path from the host on, so that a part of the path may move
 * between servers and paths; where that finds none, by the path alone. Names of path parameters don't count.
 */
export function matchOperations<Operation extends Located>(
  before: readonly Operation[],
  after: readonly Operation[],
  servers: { before: readonly ApiServer[]; after: readonly ApiServer[] },
): MatchedOperations<Operation> {
  const prefixes = { before: listPrefixes(servers.before), after: listPrefixes(servers.after) };
  const isMoved = prefixes.before.join() !== prefixes.after.join();
  const matching = new Matching(before, after);
  if (isMoved) {
    for (const toPath of [(path: string) => path, toTemplate]) {
      matching.match(
        ({ method, path }) => prefixes.before.map((prefix) => `${method} ${toPath(prefix + path)}`),
        ({ method, path }) => prefixes.after.map((prefix) => `${method} ${toPath(prefix + path)}`),
      );
    }
  }
  for (const toPath of [(path: string) => path, toTemplate]) {
    const toKeys = ({ method, path }: Located) => [`${method} ${toPath(path)}`];
    matching.match(toKeys, toKeys);
  }
  return matching.finish();
}

/** Names of path parameters that differ, in order: those of a part that moved to the servers are left out. */
export function listRenamed(before: string, after: string): { from: string; to: string }[] {
  const [old, now] = [before, after].map((path) => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!));
  const common = Math.min(old!.length, now!.length);
  const [oldNames, newNames] = [old!, now!].map((names) => names.slice(names.length - common));
  return oldNames!.map((from, index) => ({ from, to: newNames![index]! })).filter(({ from, to }) => from !== to);
}

type ToKeys = (operation: Located) => string[];

class Matching<Operation extends Located> {
  readonly #counterparts = new Map<Operation, Operation>();
  #before: readonly Operation[];

  constructor(
    private readonly all: readonly Operation[],
    private after: readonly Operation[],
  ) {
    this.#before = all;
  }

  match(toKeys: ToKeys, toOtherKeys: ToKeys): void {
    if (this.#before.length === 0 || this.after.length === 0) return;
    const byKey = new Map<string, Operation>();
    for (const operation of this.after) {
      for (const key of toOtherKeys(operation)) if (!byKey.has(key)) byKey.set(key, operation);
    }
    const taken = new Set<Operation>();
    for (const operation of this.#before) {
      const found = toKeys(operation)
        .map((key) => byKey.get(key))
        .find((one) => one !== undefined && !taken.has(one));
      if (!found) continue;
      taken.add(found);
      this.#counterparts.set(operation, found);
    }
    this.#before = this.#before.filter((operation) => !this.#counterparts.has(operation));
    this.after = this.after.filter((operation) => !taken.has(operation));
  }

  finish(): MatchedOperations<Operation> {
    const pairs = this.all.flatMap((before) => {
      const after = this.#counterparts.get(before);
      return after ? [{ before, after }] : [];
    });
    return { pairs, removed: [...this.#before], added: [...this.after] };
  }
}

/** Paths of the servers, without their hosts; one empty path where there are none. */
function listPrefixes(servers: readonly ApiServer[]): string[] {
  const paths = servers.map(({ url, resolvedUrl }) => {
    const address = resolvedUrl ?? url;
    return address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "").replace(/\/$/, "");
  });
  return [...new Set(paths.length > 0 ? paths : [""])].sort().slice(0, maxPrefixes);
}
