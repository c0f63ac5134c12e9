import type { SignedIn } from "#contracts/security-service/sessions.ts";
import type { CallResult } from "../../services/kit/client/client.ts";

type Calls = Record<string, (...input: never[]) => Promise<unknown>>;
type Signed = Pick<SignedIn, "accessToken" | "expiresIn" | "refreshToken">;

/** Sooner than any call ends. */
const earlyMilliseconds = 120_000;

/**
 * Services as somebody who signed in asks them, however long a test takes: each call has a token that is about to end
 * traded for a fresh one.
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
    const answer = await goOn(refreshToken);
    // Of a portal that is away, or of somebody who was signed out: the call itself tells.
    if (!answer.ok) return;
    refreshToken = answer.value.refreshToken ?? refreshToken;
    current = opened(answer.value);
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
    /** As it was at first: for looking whether it is told, and for a call soon after. */
    token: first.accessToken,
    /** As good as for the calls. */
    freshToken: async () => (await fresh()).token,
    ...(Object.fromEntries(services) as Clients),
  };
}
