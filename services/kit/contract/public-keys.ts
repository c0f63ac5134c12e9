import { z } from "@hono/zod-openapi";
import { operation } from "./operation.ts";

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
