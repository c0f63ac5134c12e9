import type { Position } from "../document/read-document.ts";
import type { Acceptance, WrittenAcceptance } from "./accepted-file.ts";
import { type FoundChange, toName } from "./found-change.ts";

/** Which changes make the command fail. */
export const failingKinds = ["breaking", "any", "none"] as const;
export type FailOn = (typeof failingKinds)[number];

export interface JudgedChange extends FoundChange {
  /** In the new document; of what is gone, that of its nearest ancestor. */
  at: Position & { file: string };
  /** Why it doesn't count, and until when. */
  accepted?: Pick<Acceptance, "reason" | "until">;
  fails: boolean;
}

export interface Judged {
  changes: JudgedChange[];
  /** Acceptances that match no change. */
  unneeded: WrittenAcceptance[];
}

/** Changes with what was accepted of them, and which of them fail. */
export function judge<Found extends FoundChange & Pick<JudgedChange, "at">>(
  found: readonly Found[],
  acceptances: readonly WrittenAcceptance[],
  failOn: FailOn,
): Judged {
  const needed = new Set<WrittenAcceptance>();
  const changes = found.map((change) => {
    const matching = acceptances.filter((acceptance) => isAccepted(change, acceptance));
    for (const acceptance of matching) needed.add(acceptance);
    const [first] = matching;
    const counts = failOn === "any" || (failOn === "breaking" && change.breaking);
    return {
      ...change,
      ...(first ? { accepted: { reason: first.reason, until: first.until } } : {}),
      fails: counts && !first,
    };
  });
  return { changes, unneeded: acceptances.filter((one) => !needed.has(one)) };
}

function isAccepted(change: FoundChange, { rule, operation, change: part = "" }: Acceptance): boolean {
  return rule === change.rule && toWords(operation) === toWords(toName(change)) && change.sentence.includes(part);
}

/** Methods are read in any case. */
function toWords(operation: string): string {
  const [method = "", ...path] = operation.trim().split(/\s+/);
  return `${method.toUpperCase()} ${path.join(" ")}`;
}

/** The acceptance of one change, and of no other one. */
export function toAcceptance(change: FoundChange, reason: string, until: string): Acceptance {
  return { rule: change.rule, operation: toName(change), change: change.sentence, reason, until };
}
