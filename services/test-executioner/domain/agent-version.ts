/**
 * Why an agent of this version can't work with this portal, as a sentence: releases that differ by one minor version at
 * most work together, so that either side can be upgraded first.
 */
export function explainVersion(agent: string, portal: string): string | undefined {
  const [agentMajor = 0, agentMinor = 0] = agent.split(".").map(Number);
  const [portalMajor = 0, portalMinor = 0] = portal.split(".").map(Number);
  if (agentMajor === portalMajor && Math.abs(agentMinor - portalMinor) <= 1) return undefined;
  const isOlder = agentMajor < portalMajor || (agentMajor === portalMajor && agentMinor < portalMinor);
  return isOlder
    ? `This agent is version ${agent}, and the portal ${portal}: agents of this and the previous minor version are accepted. Install the agent that the portal serves at /cli.tgz.`
    : `This agent is version ${agent}, newer than the portal, ${portal}. Upgrade the portal, or install the agent that it serves at /cli.tgz.`;
}
