import type { HumanCheck } from "#contracts/security-service/human-check.ts";

/** `undecided` when the check itself could not be made: nobody may be locked out by that. */
export type Verdict = "right" | "wrong" | "undecided";

/** What tells people from machines at forms that are open to everybody. */
export interface VisitorCheck {
  /** What the browser is asked to do. */
  ask(): Promise<HumanCheck>;
  /** Judges what the browser answered, and accepts it once. */
  judge(token: string, clientAddress: string | undefined): Promise<Verdict>;
}
