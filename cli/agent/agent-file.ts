import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentKeys } from "#libraries/agent-keys/agent-keys.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { createCheck } from "./checked.ts";

/** Who this agent is, at which portal. */
export interface StoredAgent {
  url: string;
  agentId: string;
  locationName: string;
  keys: AgentKeys;
}

const text = { type: "string" };
const object = (properties: Record<string, object>) => ({
  ...{ type: "object", properties, required: Object.keys(properties) },
});
const key = object({ kty: { const: "OKP" }, x: text, d: text });
const check = createCheck<StoredAgent>(
  "The agent's file",
  object({ url: text, agentId: text, locationName: text, keys: object({ signing: key, sealing: key }) }),
);

/** Where an agent keeps its keys and results: `assurance/agent` below `XDG_STATE_HOME` or `~/.local/state`. */
export function defaultFolder(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "assurance", "agent");
}

const pathIn = (folder: string) => join(folder, "agent.json");

/** Stores what only the user may read (mode 0600). */
export async function storeAgent(folder: string, agent: StoredAgent): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = pathIn(folder);
  await writeFile(`${path}.new`, `${JSON.stringify(agent, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return path;
}

export async function findAgent(folder: string): Promise<StoredAgent | undefined> {
  const content = await readFile(pathIn(folder), "utf8").catch(() => undefined);
  if (content === undefined) return undefined;
  try {
    return check(JSON.parse(content));
  } catch {
    throw new CommandError(exitCodes.credentials, `${pathIn(folder)} is not readable. Register the agent again.`);
  }
}

/** @throws CommandError if none is registered */
export async function requireAgent(folder: string): Promise<StoredAgent> {
  const agent = await findAgent(folder);
  if (agent) return agent;
  throw new CommandError(
    exitCodes.credentials,
    `No agent is registered in ${folder}. Run "assurance agent register --url <portal> --code <code>".`,
  );
}
