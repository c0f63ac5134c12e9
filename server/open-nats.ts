import type { Logger } from "pino";
import { accessChangesChannel } from "../services/kit/identity/access-state.ts";
import type { Nats } from "../services/kit/nats/nats.ts";
import { deriveKey } from "../services/kit/vault/vault.ts";
import { workChannel } from "../services/test-executioner/store/changes.ts";
import type { Configuration } from "./configuration.ts";

/** Connects to NATS if it is configured. Its packages are loaded only then. */
export async function openNats(
  { nats: { url, replicas } }: Pick<Configuration, "nats">,
  secretsKey: string,
  log: Logger,
): Promise<Nats | undefined> {
  if (!url) return undefined;
  const { Nats } = await import("../services/kit/nats/nats.ts");
  return new Nats({
    ...{ url, replicas, log },
    // Equal in every process of this installation; the key can't be derived from it.
    installation: Buffer.from(deriveKey(secretsKey, "name at NATS")).toString("hex").slice(0, 16),
    offeredChannels: [workChannel],
    databaseChannels: [accessChangesChannel],
  });
}
