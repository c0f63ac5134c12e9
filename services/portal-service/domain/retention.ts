export interface Retention {
  /** Of what was sent and received. */
  detailsDays: number;
  /** Of runs, and of how each of their tests ended. */
  verdictsDays: number;
}

/** A plan says how long bodies are kept; verdicts are small, and stay four times as long, or longer where operators say so. */
export function retentionOf({ retentionDays }: { retentionDays: number }, leastVerdictsDays: number): Retention {
  return { detailsDays: retentionDays, verdictsDays: Math.max(4 * retentionDays, leastVerdictsDays) };
}
