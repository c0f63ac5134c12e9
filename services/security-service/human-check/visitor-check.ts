import type { HumanCheck } from "#contracts/security-service/human-check.ts";

/** `undecided` when the check itself could not be made, which must not lock visitors out. */
export type Verdict = "right" | "wrong" | "undecided";

/** Distinguishes people from machines at public forms. */
export interface VisitorCheck {
  /** The task for the browser. */
  ask(): Promise<HumanCheck>;
  /** Verifies the browser's token and accepts it once. */
  judge(token: string, clientAddress: string | undefined): Promise<Verdict>;
}
