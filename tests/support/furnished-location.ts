import { createAgentKeys, getPublicKeys } from "#libraries/agent-keys/agent-keys.ts";
import { productVersion } from "../../cli/version.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { PortalBackend } from "./portal-backend.ts";

/** A location with an agent that never calls. */
export async function furnishLocation({ testExecutioner }: Pick<PortalBackend, "testExecutioner">, word: string) {
  const location = { name: `${word} office`, description: `Where ${word} are` };
  const { id: locationId } = requireValue(await testExecutioner.createLocation({ body: location }), "a location");
  const { code } = requireValue(await testExecutioner.createAgentCode({ params: { locationId } }), "a code");
  const keys = getPublicKeys(await createAgentKeys());
  const joining = { code, name: `${word} host`, version: productVersion, ...keys };
  const { agentId } = requireValue(await testExecutioner.registerAgent({ body: joining }), "an agent");
  return { locationId, agentId };
}
