import { z } from "@hono/zod-openapi";
import type { JSONWebKeySet } from "jose";
import { type Connect, requireAnswer } from "../client/client.ts";
import { operation } from "../contract/operation.ts";

/** The one call of security-service that every service depends on, to verify tokens. */
export const publicKeysContract = {
  getKeys: operation({
    method: "get",
    path: "/.well-known/jwks.json",
    access: "public",
    summary: "Public keys of the access tokens",
    status: 200,
    answer: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
};

/** The published keys, asked from wherever security-service runs. */
export function publicKeysFrom(connect: Connect<typeof publicKeysContract>): () => Promise<JSONWebKeySet> {
  return async () => requireAnswer(await connect().getKeys(), "public keys of security-service") as JSONWebKeySet;
}
