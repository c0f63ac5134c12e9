import type { JSONWebKeySet } from "jose";
import type { publicKeysContract } from "#contracts/kit/public-keys.ts";
import { type Connect, requireValue } from "../client/client.ts";

/** Reads the published keys from security-service, wherever it runs. */
export function publicKeysFrom(connect: Connect<typeof publicKeysContract>): () => Promise<JSONWebKeySet> {
  return async () => requireValue(await connect().getKeys(), "public keys of security-service");
}
