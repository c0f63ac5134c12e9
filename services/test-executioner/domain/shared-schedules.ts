import { createHash } from "node:crypto";

const weigh = (circleId: string, agentId: string) =>
  createHash("sha256").update(`${circleId} ${agentId}`).digest("hex");

/**
 * Which of a location's agents starts a circle while the portal is away. Where an agent joins or leaves, only the circles
 * of that one move (rendezvous hashing).
 */
export function chooseAgent(circleId: string, agentIds: readonly string[]): string | undefined {
  const weighed = agentIds.map((agentId) => ({ agentId, weight: weigh(circleId, agentId) }));
  return weighed.toSorted((one, other) => (one.weight < other.weight ? 1 : -1))[0]?.agentId;
}
