import { hostname } from "node:os";
import { createAgentKeys, getPublicKeys } from "#libraries/agent-keys/agent-keys.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import { toBase } from "../portal/access-file.ts";
import { productVersion } from "../version.ts";
import { defaultFolder, findAgent, storeAgent } from "./agent-file.ts";
import { Away, PortalCalls, type PortalOptions, RefusedCall } from "./portal-calls.ts";

export interface RegisterFlags extends PortalOptions {
  url: string;
  code: string;
  name?: string;
  folder?: string;
  replace?: true;
}

interface Registered {
  agentId: string;
  locationName: string;
}

/** Creates the keys of an agent and registers it. The private keys are stored here, and sent nowhere. */
export async function register({ url, code, folder = defaultFolder(), ...flags }: RegisterFlags): Promise<ExitCode> {
  const known = await findAgent(folder);
  if (known && !flags.replace) {
    throw new CommandError(
      exitCodes.usage,
      `${folder} has an agent of ${known.locationName} at ${known.url}. Choose another --folder, or --replace it.`,
    );
  }
  const keys = await createAgentKeys();
  const calls = await PortalCalls.open(url, flags);
  try {
    const body = { code, name: flags.name ?? hostname(), version: productVersion, ...getPublicKeys(keys) };
    const { agentId, locationName } = await calls.post<Registered>("/api/v1/agents", body);
    const path = await storeAgent(folder, { url: toBase(url), agentId, locationName, keys });
    process.stdout.write(`Registered for ${locationName}. The keys are in ${path}. Start it with "assurance agent".\n`);
    return exitCodes.passed;
  } catch (error) {
    if (error instanceof RefusedCall) throw new CommandError(exitCodes.credentials, error.message);
    if (error instanceof Away) throw new CommandError(exitCodes.notJudged, error.message);
    throw error;
  } finally {
    await calls.close();
  }
}
