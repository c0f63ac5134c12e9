import { createHash } from "node:crypto";
import type { LifeChange, OperationChange } from "#contracts/api-registry/comparisons.ts";

const minute = 60_000;
/** Failed looks in a row from which on they are an incident. */
export const failuresOfIncident = 3;
const firstRetryMinutes = 5;
const maxRetryMinutes = 360;
/** Looks are spread over this time, so that watches that were saved together do not stay together. */
const spreadMilliseconds = minute;

const spreadOf = (apiId: string) => createHash("sha256").update(apiId).digest().readUInt32BE(0) % spreadMilliseconds;

/** When to look again after a look that has succeeded. */
export function nextLook({ apiId, everyMinutes }: { apiId: string; everyMinutes: number }, now: Date): Date {
  return new Date(now.getTime() + everyMinutes * minute + spreadOf(apiId));
}

/** After failures in a row: sooner than usual at first, then doubled up to six hours, or the interval if it is longer. */
export function nextLookAfterFailure(
  { apiId, everyMinutes }: { apiId: string; everyMinutes: number },
  failures: number,
  now: Date,
): Date {
  const pause = Math.min(firstRetryMinutes * 2 ** Math.min(failures - 1, 20), Math.max(maxRetryMinutes, everyMinutes));
  return new Date(now.getTime() + pause * minute + spreadOf(apiId));
}

/** Equal while the address serves the same document and the same files that it refers to. */
export function digestOf(files: readonly { url: string; sha256: string }[]): string {
  const lines = files.map(({ url, sha256 }) => `${sha256} ${url}\n`);
  // The document is the first; the others arrive in any order.
  const [main = "", ...others] = lines;
  return createHash("sha256")
    .update([main, ...others.sort()].join(""))
    .digest("hex");
}

export interface ReviewedChange {
  /** Operations and webhooks that may break callers or tests. */
  breakingCount: number;
  /** Whether any operation, webhook or life of a resource differs. */
  isSame: boolean;
  /** In sentences, at most 900 characters. */
  reason: string;
}

const maxSentences = 5;
const maxSentenceCharacters = 150;
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

interface Comparison {
  added: OperationChange[];
  changed: OperationChange[];
  removed: OperationChange[];
  lives?: { items: LifeChange[] } | undefined;
}

/** Whether a new version can be taken over unseen, and what to say where it can't. */
export function reviewChange({ added, changed, removed, lives }: Comparison): ReviewedChange {
  const breaking = [...removed, ...changed].filter(
    (change) => change.breaking || change.tests?.items.some(({ effects }) => (effects ?? []).length > 0),
  );
  const isSame = added.length + changed.length + removed.length + (lives?.items.length ?? 0) === 0;
  if (breaking.length === 0) {
    const counts = `${count(added.length, "operation")} added, ${changed.length} changed`;
    return { breakingCount: 0, isSame, reason: `Nothing breaks by the document: ${counts}.` };
  }
  const verb = breaking.length === 1 ? "breaks" : "break";
  const sentences = breaking.slice(0, maxSentences).map(describeBreak);
  const others = breaking.length - sentences.length;
  return {
    breakingCount: breaking.length,
    isSame,
    reason: [
      `${count(breaking.length, "operation")} ${verb}.`,
      ...sentences,
      ...(others > 0 ? [`And ${others} more.`] : []),
      describeTouched(breaking),
    ]
      .filter(Boolean)
      .join(" "),
  };
}

function describeBreak({ method, path, changes, reasons }: OperationChange): string {
  const sentence = changes.find(({ breaking }) => breaking)?.sentence ?? reasons[0] ?? "it changes.";
  const whole = `${method.toUpperCase()} ${path}: ${sentence}`;
  return whole.length > maxSentenceCharacters ? `${whole.slice(0, maxSentenceCharacters - 1)}…` : whole;
}

function describeTouched(breaking: readonly OperationChange[]): string {
  const tests = breaking.reduce((sum, change) => sum + (change.tests?.total ?? 0), 0);
  if (tests === 0) return "";
  const items = breaking.flatMap((change) => change.tests?.items ?? []);
  const circles = new Set(items.flatMap((test) => (test.circles ?? []).map(({ id }) => id)));
  const within = circles.size === 0 ? "" : ` and ${count(circles.size, "circle")}`;
  return `It touches ${count(tests, "test")}${within}.`;
}
