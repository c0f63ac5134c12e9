import type { Viewer } from "~/session/guards";

/** The name of an agent; undefined if it was deleted with its location, or can't be looked up at the moment. */
export async function findAgentName(
  { backend, may }: Viewer,
  agentId: string | null | undefined,
): Promise<string | undefined> {
  if (!agentId || !may("tests:read")) return undefined;
  const found = await backend.testExecutioner.getAgent({ params: { agentId } });
  return found.ok ? found.value.name : undefined;
}
