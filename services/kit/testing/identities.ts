import { uuidv7 } from "uuidv7";
import { type Scope, scopes } from "#contracts/kit/endpoint.ts";
import {
  type Authenticate,
  createAuthenticate,
  type Identity,
  type IssueServiceToken,
  issueServiceToken,
} from "../identity/identity.ts";

const serviceKey = new Uint8Array(32).fill(7);

const daySeconds = 24 * 60 * 60;

/** Service tokens that outlive any test. */
export function createLastingServiceTokens(serviceKey: Uint8Array, service: string): IssueServiceToken {
  return (organizationId) => issueServiceToken(serviceKey, service, organizationId, daySeconds);
}

/** A signed-in user; with `apiToken` a program of theirs. */
type TestCaller = Partial<Pick<Identity, "organizationId" | "userId" | "username" | "scopes" | "apiToken">>;

/**
 * Callers for service tests without security-service: `tokenFor` issues a token that `authenticate` accepts. Tokens of
 * real users are tested in security-service.
 */
export function createTestIdentities(): {
  authenticate: Authenticate;
  serviceToken: IssueServiceToken;
  /** Ends the long-lived responses of this token. */
  outdate(token: string): void;
  tokenFor(caller?: TestCaller): {
    token: string;
    organizationId: string;
  };
} {
  const known = new Map<string, Identity>();
  const watchers = new Map<string, Set<() => void>>();
  const verify = createAuthenticate({ publicKeys: async () => ({ keys: [] }), serviceKey });
  return {
    authenticate: async (token) => known.get(token) ?? (await verify(token)),
    serviceToken: createLastingServiceTokens(serviceKey, "test"),
    outdate(token) {
      for (const listener of watchers.get(token) ?? []) listener();
    },
    tokenFor(caller = {}) {
      const token = `test.${uuidv7()}`;
      const acts = new Set<() => void>();
      watchers.set(token, acts);
      const organizationId = caller.organizationId ?? uuidv7();
      known.set(token, {
        kind: caller.apiToken === undefined ? "user" : "token",
        ...(caller.apiToken === undefined ? {} : { apiToken: caller.apiToken }),
        userId: caller.userId ?? uuidv7(),
        username: caller.username ?? "tester",
        name: caller.username ?? "tester",
        organizationId,
        roles: ["ADMIN"],
        scopes: caller.scopes ?? ([...scopes] as Scope[]),
        token,
        onOutdated(listener) {
          acts.add(listener);
          return () => void acts.delete(listener);
        },
      });
      return { token, organizationId };
    },
  };
}
