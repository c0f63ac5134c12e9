import { uuidv7 } from "uuidv7";
import { type Scope, scopes } from "../contract/operation.ts";
import { type Authenticate, createAuthenticate, createServiceTokens, type Identity } from "../identity/identity.ts";

const serviceKey = new Uint8Array(32).fill(7);

/**
 * Callers for service tests without security-service: `tokenFor` mints a token that `authenticate` knows.
 * Tokens of real users are tested in security-service.
 */
export function createTestIdentities(): {
  authenticate: Authenticate;
  serviceToken: ReturnType<typeof createServiceTokens>;
  tokenFor(caller?: Partial<Pick<Identity, "organizationId" | "userId" | "scopes">>): {
    token: string;
    organizationId: string;
  };
} {
  const known = new Map<string, Identity>();
  const verify = createAuthenticate({ publicKeys: async () => ({ keys: [] }), serviceKey });
  return {
    authenticate: async (token) => known.get(token) ?? (await verify(token)),
    serviceToken: createServiceTokens(serviceKey, "test"),
    tokenFor(caller = {}) {
      const token = `test.${uuidv7()}`;
      const organizationId = caller.organizationId ?? uuidv7();
      known.set(token, {
        kind: "user",
        userId: caller.userId ?? uuidv7(),
        username: "tester",
        organizationId,
        roles: ["ADMIN"],
        scopes: caller.scopes ?? ([...scopes] as Scope[]),
        token,
      });
      return { token, organizationId };
    },
  };
}
