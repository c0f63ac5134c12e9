import type { Finding } from "#contracts/test-executioner/explorations.ts";
import type { Progress } from "#libraries/suite/exploration/exploring.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { type ExplorationHold, type StoredProgress, storeProgress } from "../store/exploration-claims.ts";
import { storeFindings } from "../store/exploration-findings.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/** Collects what an exploration reports, and stores what has changed. */
export class ExplorationJournal {
  readonly #parts: { db: ExecutionDatabase; clock: Clock };
  readonly #hold: ExplorationHold;
  readonly #numbers = new Map<string, number>();
  readonly #unstored = new Map<string, Finding>();
  #progress: Progress = { requests: 0, operations: [] };
  /** JSON of the stored operations. */
  #stored = "[]";

  constructor(parts: { db: ExecutionDatabase; clock: Clock }, hold: ExplorationHold) {
    this.#parts = parts;
    this.#hold = hold;
  }

  noteProgress(progress: Progress): void {
    this.#progress = progress;
  }

  noteFinding(finding: Finding): void {
    if (!this.#numbers.has(finding.key)) this.#numbers.set(finding.key, this.#numbers.size + 1);
    this.#unstored.set(finding.key, finding);
  }

  /** Extends the lease, too. @returns undefined once it no longer belongs to this process */
  async store(): Promise<{ isCancelled: boolean } | undefined> {
    const row = await storeProgress(this.#parts.db, this.#hold, this.toProgress());
    if (row) await this.storeFindings();
    return row;
  }

  async storeFindings(): Promise<void> {
    const findings = [...this.#unstored.values()];
    this.#unstored.clear();
    try {
      const numbered = findings.map((finding) => ({ number: this.#numbers.get(finding.key)!, finding }));
      await storeFindings(this.#parts.db, this.#hold, numbered, this.#parts.clock.now());
    } catch (error) {
      for (const one of findings) if (!this.#unstored.has(one.key)) this.#unstored.set(one.key, one);
      throw error;
    }
  }

  toProgress(): StoredProgress {
    const { requests, operations } = this.#progress;
    const text = JSON.stringify(operations);
    const explored = text === this.#stored ? undefined : operations;
    this.#stored = text;
    return { requests, findings: this.#numbers.size, explored };
  }
}
