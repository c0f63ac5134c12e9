export interface Retention {
  /** Of what was sent and received. */
  detailsDays: number;
  /** Of runs, and of how each of their tests ended. */
  verdictsDays: number;
}

const leastVerdictsDays = 90;

/** A plan says how long bodies are kept; verdicts are small, and stay four times as long. */
export function retentionOf({ retentionDays }: { retentionDays: number }): Retention {
  return { detailsDays: retentionDays, verdictsDays: Math.max(4 * retentionDays, leastVerdictsDays) };
}
