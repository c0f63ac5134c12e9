/** An agent calls every 25 s at least. */
const activeMilliseconds = 60_000;

/** An agent that called since then is active. */
export function isActiveSince(now: Date): Date {
  return new Date(now.getTime() - activeMilliseconds);
}

export function getAgentState(
  agent: { lastSeenAt: Date | null; revokedAt: Date | null },
  now: Date,
): "active" | "silent" | "revoked" {
  if (agent.revokedAt) return "revoked";
  return agent.lastSeenAt && agent.lastSeenAt >= isActiveSince(now) ? "active" : "silent";
}
