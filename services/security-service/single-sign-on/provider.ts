import type * as client from "openid-client";
import type { Egress } from "#libraries/egress/egress.ts";
import { promptToAskAgain } from "../domain/provider-confirmation.ts";
import { createEgressFetch } from "./egress-fetch.ts";
import { isAway, toReason } from "./failure-words.ts";

export interface ProviderSettings {
  organizationId: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  rolesClaim: string;
}

export interface Begun {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The provider is misconfigured or its response invalid; the message is for the user who signs in or sets it up. */
export class ProviderRefused extends Error {
  override readonly name = "ProviderRefused";
  constructor(
    message: string,
    /** The provider may respond later. */
    readonly isAway = false,
  ) {
    super(message);
  }
}

type Claims = Record<string, unknown>;
export type OpenIdProvider = ReturnType<typeof createOpenIdProvider>;

/** Loaded on first use: most portals never sign in by a provider, and it stays in memory. */
const openIdClient = () => import("openid-client");
const clockToleranceSeconds = 60;
const refusedFor = (error: unknown): never => {
  throw new ProviderRefused(toReason(error), isAway(error));
};

/** For providers that accept the secret only in the body. */
async function authenticationFor(secret: string, metadata: Readonly<client.ServerMetadata>) {
  const { ClientSecretBasic, ClientSecretPost } = await openIdClient();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic") ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

/** URLs that receive a browser or the secret must be valid and encrypted. */
function requireUsable(metadata: Readonly<client.ServerMetadata>, protocols: string[]): void {
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
  for (const [name, address] of Object.entries({ authorization_endpoint, token_endpoint, jwks_uri })) {
    if (!address || !protocols.includes(URL.parse(address)?.protocol ?? ""))
      throw new ProviderRefused(`The provider's metadata has no usable ${name}.`);
  }
}

/** OpenID Connect client of an organization's provider: code flow with PKCE, state and nonce. */
export function createOpenIdProvider({ egress, redirectUri }: { egress: Egress; redirectUri(): string }) {
  /** @throws ProviderRefused */
  async function discover({ organizationId, issuer, clientId, clientSecret }: ProviderSettings) {
    const client = await openIdClient();
    const isPlain = new URL(issuer).protocol === "http:";
    const customFetch = createEgressFetch(egress, organizationId);
    const found = await client
      .discovery(new URL(issuer), clientId, undefined, client.None(), {
        [client.customFetch]: customFetch,
        execute: isPlain ? [client.allowInsecureRequests] : [],
      })
      .catch(refusedFor);
    const metadata = found.serverMetadata();
    requireUsable(metadata, isPlain ? ["https:", "http:"] : ["https:"]);
    const tolerant = { [client.clockTolerance]: clockToleranceSeconds };
    const authentication = await authenticationFor(clientSecret, metadata);
    const configuration = new client.Configuration(metadata, clientId, tolerant, authentication);
    configuration[client.customFetch] = customFetch;
    // Loopback only, see the contract.
    if (isPlain) client.allowInsecureRequests(configuration);
    // The token's signature is checked although it comes from the provider itself.
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  /** Where userinfo has the same claims, the token's take precedence. */
  async function completeClaims(
    configuration: client.Configuration,
    tokens: client.TokenEndpointResponse,
    idToken: Claims & { sub: string },
    rolesClaim: string,
  ): Promise<Claims> {
    const wanted = ["email", ...(rolesClaim === "" ? [] : [rolesClaim])];
    const isComplete = wanted.every((name) => Object.hasOwn(idToken, name));
    if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return idToken;
    const { fetchUserInfo } = await openIdClient();
    return { ...(await fetchUserInfo(configuration, tokens.access_token, idToken.sub)), ...idToken };
  }

  return {
    /** @throws ProviderRefused */
    check: async (settings: ProviderSettings): Promise<void> => void (await discover(settings)),

    /** @throws ProviderRefused */
    async begin(
      settings: ProviderSettings,
      { email, asksAgain = false }: { email?: string | undefined; asksAgain?: boolean | undefined } = {},
    ): Promise<Begun & { url: string }> {
      const [client, configuration] = await Promise.all([openIdClient(), discover(settings)]);
      const [state, nonce, codeVerifier] = [
        client.randomState(),
        client.randomNonce(),
        client.randomPKCECodeVerifier(),
      ];
      const { scopes_supported = [] } = configuration.serverMetadata();
      const { rolesClaim } = settings;
      const scopes = ["openid", "email", "profile", ...(scopes_supported.includes(rolesClaim) ? [rolesClaim] : [])];
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri(),
        scope: [...new Set(scopes)].join(" "),
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
        ...{ state, nonce },
        ...(email === undefined ? {} : { login_hint: email }),
        ...(asksAgain ? { prompt: promptToAskAgain(settings.issuer) } : {}),
      });
      return { url: url.href, state, nonce, codeVerifier };
    },

    /**
     * The claims of the user who returns. Issuer, audience, signature, nonce and times are checked.
     * @param returned the query string of the browser's return
     * @throws ProviderRefused
     */
    async finish(
      settings: ProviderSettings,
      begun: Begun,
      returned: string,
    ): Promise<{ claims: Claims; idToken: Claims }> {
      const [client, configuration] = await Promise.all([openIdClient(), discover(settings)]);
      const address = new URL(redirectUri());
      address.search = returned;
      try {
        const tokens = await client.authorizationCodeGrant(configuration, address, {
          expectedState: begun.state,
          expectedNonce: begun.nonce,
          pkceCodeVerifier: begun.codeVerifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims()!;
        return { idToken, claims: await completeClaims(configuration, tokens, idToken, settings.rolesClaim) };
      } catch (error) {
        return refusedFor(error);
      }
    },
  };
}
