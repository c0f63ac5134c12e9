import type { SignedIn } from "#contracts/security-service/sessions.ts";
import type { CallResult } from "../../services/kit/client/client.ts";

type Calls = Record<string, (...input: never[]) => Promise<unknown>>;
type Signed = Pick<SignedIn, "accessToken" | "expiresIn" | "refreshToken">;

/** Longer than any call takes. */
const earlyMilliseconds = 120_000;

/**
 * Services called as a signed-in user, however long a test takes: a token that is about to expire is exchanged for a
 * fresh one before each call.
 */
export function createLastingBackend<Clients extends { [Service in keyof Clients]: Calls }>(
  first: Signed,
  connect: (token: string) => Clients,
  goOn: (refreshToken: string) => Promise<CallResult<Omit<Signed, "refreshToken"> & Partial<Signed>>>,
) {
  let { refreshToken } = first;
  const opened = ({ accessToken: token, expiresIn }: Omit<Signed, "refreshToken">) => ({
    token,
    clients: connect(token),
    endsAt: performance.now() + expiresIn * 1_000,
  });
  let current = opened(first);
  let renewing: Promise<void> | undefined;
  async function renew(): Promise<void> {
    const result = await goOn(refreshToken);
    // The portal is unavailable, or the user was signed out: the call itself reports it.
    if (!result.ok) return;
    refreshToken = result.value.refreshToken ?? refreshToken;
    current = opened(result.value);
  }
  async function fresh() {
    if (current.endsAt - earlyMilliseconds < performance.now()) {
      renewing ??= renew().finally(() => {
        renewing = undefined;
      });
      await renewing;
    }
    return current;
  }
  const services = Object.entries<Calls>(current.clients).map(([service, calls]) => {
    const call = (name: string) => async (input: never) => {
      const { clients } = await fresh();
      return await (clients as Record<string, Calls>)[service]![name]!(input);
    };
    return [service, Object.fromEntries(Object.keys(calls).map((name) => [name, call(name)]))];
  });
  return {
    /** The first token: for tests that look for it in outputs, and for a call soon after. */
    token: first.accessToken,
    /** As fresh as for the calls. */
    freshToken: async () => (await fresh()).token,
    ...(Object.fromEntries(services) as Clients),
  };
}
