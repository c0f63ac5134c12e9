interface AgentCommands {
  /** Of the portal, as the reader sees it. */
  origin: string;
  version: string;
  code: string;
}

/** What to enter on a machine of the location, once and then to run the agent. */
export function toAgentCommands({ origin, version, code }: AgentCommands) {
  const assurance = `npx ${origin}/cli/${version}.tgz`;
  return {
    register: `${assurance} agent register --url ${origin} --code ${code}`,
    run: `${assurance} agent --allow 10.0.0.0/8:443`,
  };
}
