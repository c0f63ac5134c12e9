import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export interface ProviderPerson {
  email: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
  /** How they sign in there, such as `["pwd", "mfa"]`. */
  amr?: string[];
}

export interface RunningProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  people: Map<string, ProviderPerson>;
  /**
   * A browser at the provider, from the redirect there to the redirect back.
   * @param subject the user who signs in there; undefined to cancel
   * @returns the query it returns with
   */
  visit(address: string, subject: string | undefined): Promise<string>;
  close(): Promise<void>;
}

/** A port without a listener. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** A real OpenID provider on loopback: it requires PKCE, and signs in the named user. */
export async function startOpenIdProvider(redirectUri: string): Promise<RunningProvider> {
  const people = new Map<string, ProviderPerson>();
  const [clientId, clientSecret] = ["portal", "secret of the portal"];
  let current: string | undefined;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub", "groups", "amr"], email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    cookies: { keys: ["of the test"] },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client!.clientId,
        accountId: context.oidc.session!.accountId!,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on("request", async (request, response) => {
    if (!request.url!.startsWith("/interaction/")) return void handle(request, response);
    const amr = current && people.get(current)?.amr;
    const result = current
      ? { login: { accountId: current, ...(amr ? { amr } : {}) } }
      : { error: "access_denied", error_description: "The user cancelled" };
    await provider.interactionFinished(request, response, result);
  });

  async function visit(address: string, subject: string | undefined): Promise<string> {
    current = subject;
    const cookies = new Map<string, string>();
    let next = address;
    for (let hops = 0; hops < 10; hops += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(next, { redirect: "manual", headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (!location) throw new Error(`${next}: ${response.status} ${await response.text()}`);
      next = new URL(location, next).href;
      if (next.startsWith(redirectUri)) return new URL(next).search;
    }
    throw new Error("The provider sends nobody back.");
  }
  return {
    ...{ issuer, clientId, clientSecret, people, visit },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
