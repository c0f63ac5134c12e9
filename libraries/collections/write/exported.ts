import type { Collection, Loss } from "../collection.ts";

/** A text file of an export. `path` is relative, with `/` between its segments. */
export interface ExportedFile {
  path: string;
  text: string;
}

export interface Exported {
  files: ExportedFile[];
  losses: Loss[];
}

export type WriteCollection = (collection: Collection) => Exported;

/** Collects what a format can't say. */
export class Losses {
  readonly list: Loss[] = [];

  /**
   * @param of name of the request or sequence
   * @param what as in `wait`
   * @param reason a sentence that says why, and what to do about it
   */
  add(of: string, what: string, reason: string): void {
    const isKnown = this.list.some((loss) => loss.of === of && loss.what === what && loss.reason === reason);
    if (!isKnown) this.list.push({ file: "", line: 0, of, what, reason });
  }
}
