export interface Retention {
  /** Request and response bodies. */
  detailsDays: number;
  /** Runs and the verdicts of their tests. */
  verdictsDays: number;
}

/**
 * A plan defines how long bodies are retained; verdicts are small and retained four times as long, or longer by the
 * operator's setting.
 */
export function toRetention({ retentionDays }: { retentionDays: number }, leastVerdictsDays: number): Retention {
  return { detailsDays: retentionDays, verdictsDays: Math.max(4 * retentionDays, leastVerdictsDays) };
}
