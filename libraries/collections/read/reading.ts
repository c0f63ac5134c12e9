import type { CollectedBody, CollectedRequest, Collection, Loss, Pair, Position, Sequence } from "../collection.ts";

/** A file as text, with its path among the files that were chosen together: `pets/create.bru`. */
export interface SourceFile {
  name: string;
  text: string;
}

/** What a reader found in files of one format, and what of them it could not carry over. */
export interface Reading {
  collection: Collection;
  losses: Loss[];
}

/** A file that is not what it should be. The message is a sentence for who chose it. */
export class UnreadableFile extends Error {
  constructor(
    readonly file: string,
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Upper bounds of what is read at once. */
export const limits = { bytes: 10_000_000, files: 2_000, requests: 2_000, losses: 5_000, depth: 100 } as const;

export const noBody: CollectedBody = { kind: "none" };

export const toPair = (name: string, value: string, enabled = true): Pair => ({ name, value, enabled });

/** What differs from a bare request. */
export type FoundRequest = Position & Pick<CollectedRequest, "name" | "method" | "url"> & Partial<CollectedRequest>;

/** Collects what a reader finds, within the limits. */
export class Collector {
  readonly losses: Loss[] = [];
  readonly collection: Collection;
  readonly #ids = new Set<string>();
  #dropped = 0;

  constructor(name: string) {
    this.collection = { name, description: "", variables: [], environments: [], requests: [], sequences: [] };
  }

  /** @param id a name for it, which is made unique */
  add(request: FoundRequest, id = `${request.file}#${request.name}`): CollectedRequest {
    if (this.collection.requests.length >= limits.requests)
      throw new UnreadableFile(request.file, request.line, `More than ${limits.requests} requests in one import.`);
    const added: CollectedRequest = {
      ...{ folders: [], description: "", enabled: true, pathParameters: [], query: [], headers: [], cookies: [] },
      ...{ body: noBody, authorization: { kind: "inherit" }, assertions: [], captures: [] },
      ...{ followRedirects: undefined, timeoutMilliseconds: undefined, retries: undefined },
      ...request,
      id: this.#unique(id),
    };
    this.collection.requests.push(added);
    return added;
  }

  addSequence(sequence: Position & Pick<Sequence, "name" | "requests"> & Partial<Sequence>): void {
    if (sequence.requests.length > 0)
      this.collection.sequences.push({ description: "", stopOnFailure: false, ...sequence });
  }

  lose({ file, line }: Position, of: string, what: string, reason: string): void {
    if (this.losses.length < limits.losses - 1) this.losses.push({ file, line, of, what, reason });
    else this.#dropped += 1;
  }

  finish(): Reading {
    if (this.#dropped > 0) {
      const reason = `${this.#dropped} more are not listed. Import fewer files to see them.`;
      this.losses.push({ file: "", line: 0, of: this.collection.name, what: "further losses", reason });
    }
    return { collection: this.collection, losses: this.losses };
  }

  #unique(id: string): string {
    let unique = id;
    for (let count = 2; this.#ids.has(unique); count += 1) unique = `${id}~${count}`;
    this.#ids.add(unique);
    return unique;
  }
}
