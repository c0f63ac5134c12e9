import type { LocatedOperation } from "../document/read-document.ts";

/** One change of an operation or webhook between two versions of a document. */
export interface FoundChange extends LocatedOperation {
  /** The path before, where the same requests go to another one now. */
  pathBefore?: string;
  /** Stable key, such as `request.bound.narrowed`. */
  rule: string;
  /** Whether clients may break. */
  breaking: boolean;
  sentence: string;
}

interface ChangedOperation extends Pick<FoundChange, "kind" | "method" | "path" | "pathBefore"> {
  changes: readonly Pick<FoundChange, "rule" | "breaking" | "sentence">[];
  moreCount: number;
}

/** What a comparison finds, here or by a portal. */
export interface OperationChanges {
  added: readonly ChangedOperation[];
  changed: readonly ChangedOperation[];
  removed: readonly ChangedOperation[];
  unchangedCount: number;
}

/** Of the changes that a comparison counts and does not list. They can be accepted by this rule, too. */
const notListed = "operation.not-listed";

/** Single changes, the breaking ones first, then by path. */
export function listChanges({ removed, changed, added }: OperationChanges): FoundChange[] {
  const found = [...removed, ...changed, ...added].flatMap(toChanges);
  const byPlace = (one: FoundChange, other: FoundChange) => compareText(toName(one), toName(other));
  return found.sort((one, other) => Number(other.breaking) - Number(one.breaking) || byPlace(one, other));
}

function toChanges({ kind, method, path, pathBefore, changes, moreCount }: ChangedOperation): FoundChange[] {
  const operation = { kind, method, path, ...(pathBefore === undefined ? {} : { pathBefore }) };
  const listed = changes.map(({ rule, breaking, sentence }) => ({ ...operation, rule, breaking, sentence }));
  if (moreCount === 0) return listed;
  // The breaking ones are listed first.
  const breaking = changes.every((change) => change.breaking);
  const sentence = `${moreCount} more ${moreCount === 1 ? "change is" : "changes are"} not listed.`;
  return [...listed, { ...operation, rule: notListed, breaking, sentence }];
}

/** "GET /books"; of a webhook, "POST newBook". */
export const toName = ({ method, path }: Pick<FoundChange, "method" | "path">) => `${method.toUpperCase()} ${path}`;

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
