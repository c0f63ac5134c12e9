import { randomBytes } from "node:crypto";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Clock } from "../../clock/clock.ts";
import type { InboundResponse } from "../../egress/egress.ts";
import type { KnownSecret } from "../../redaction/patterns.ts";
import { authorize, type OpenedCredential } from "../authorization.ts";
import { signForAws } from "../aws-signature.ts";
import { answerDigest, findDigestChallenge } from "../digest.ts";
import type { OpenCredentials } from "../lookups.ts";
import { finishPlan, type RequestPlan } from "../request-plan.ts";
import type { ChosenAuthorization } from "../scheme-bindings.ts";
import { Unsendable } from "../unsendable.ts";
import type { AccessTokens } from "./access-tokens.ts";

export interface AuthorizingParts {
  clock: Clock;
  openCredentials: OpenCredentials;
  accessTokens: AccessTokens;
}

/** A request's URL and headers, as sent. */
export interface Addressed {
  url: string;
  headers: [string, string][];
  /** Created for this request alone; redacted like the credentials' own secrets. */
  secrets: KnownSecret[];
}

export interface AuthorizedRequest {
  /** As the next request is sent: with the new token if it was replaced meanwhile. */
  address(): Addressed;
  secretHeaderNames: string[];
  carriesCredentials: boolean;
  /** The request's credential, the first of several. */
  credentialId: string | undefined;
  /** Client certificate of the connection. */
  client: { certificate: string; key: string } | undefined;
  /** Certificates that verify the server instead of the public ones. */
  authority: string | undefined;
  /** After a 401: the request to send once more; undefined if there is none. */
  answerRefusal: ((response: InboundResponse) => Promise<Addressed | undefined>) | undefined;
}

/**
 * Opens the credentials of a request's host and adds them to the request.
 * @throws Unsendable
 */
export async function authorizeRequest(
  parts: AuthorizingParts,
  given: {
    organizationId: string;
    plan: RequestPlan;
    authorization: ChosenAuthorization;
    operation: OperationWithComponents | undefined;
  },
): Promise<AuthorizedRequest> {
  const { organizationId, plan, authorization, operation } = given;
  const opened = await parts.openCredentials(organizationId, plan.host, authorization);
  const tokens = new Map<string, string>();
  /** For an OAuth client, an API receives its token; the client's secret is for the token URL alone. */
  const withTokens = (credential: OpenedCredential) =>
    credential.type === "oauth2ClientCredentials"
      ? { ...credential, secret: tokens.get(credential.id) ?? "" }
      : credential;
  const build = () => authorize(plan, authorization, { ...opened, items: opened.items.map(withTokens) }, operation);
  // A private key is never sent, so no response can contain it.
  const secrets = opened.items
    .filter(({ type }) => type !== "mutualTls")
    .map(({ secret, settings }) => ({ secret, username: settings.username }));
  function address(): Addressed {
    const { url, headers } = finishPlan(build().plan);
    const known = [...secrets, ...[...tokens.values()].map((secret) => ({ secret }))];
    if (!signing) return { url, headers, secrets: known };
    const { method, body, bytes } = plan;
    const signed = signForAws(
      { method, url, headers, body: bytes ?? body },
      signing.settings,
      signing.secret,
      parts.clock.now(),
    );
    const others = headers.filter(([name]) => !signed.headers.some(([ours]) => ours === name.toLowerCase()));
    return { url, headers: [...others, ...signed.headers], secrets: [...known, { secret: signed.signature }] };
  }
  // Only credentials used in this request: another's token URL is not called needlessly.
  const { secretHeaderNames, carriesCredentials, credentialIds, connecting, signing, challenged } = build();
  const unread = opened.items.find(({ id, problem }) => problem !== undefined && credentialIds.includes(id));
  if (unread) throw new Unsendable("secret_unavailable", unread.problem!, unread.id);
  const clients = opened.items.filter(
    ({ id, type }) => type === "oauth2ClientCredentials" && credentialIds.includes(id),
  );
  for (const client of clients) tokens.set(client.id, await parts.accessTokens.require(organizationId, client));

  async function renewTokens(): Promise<Addressed> {
    for (const client of clients) {
      tokens.set(client.id, await parts.accessTokens.renew(organizationId, client, tokens.get(client.id) ?? ""));
    }
    return address();
  }

  function answerChallenge(credential: OpenedCredential, response: InboundResponse): Addressed | undefined {
    const challenge = findDigestChallenge(response.headers);
    if (!challenge) return undefined;
    const { url, headers, secrets: known } = address();
    const { pathname, search } = new URL(url);
    const cnonce = randomBytes(16).toString("hex");
    const { settings, secret: password } = credential;
    const asked = { method: plan.method, uri: pathname + search, username: settings.username ?? "", password, cnonce };
    const { header, response: proof } = answerDigest(challenge, asked);
    return { url, headers: [...headers, ["authorization", header]], secrets: [...known, { secret: proof }] };
  }

  return {
    address,
    secretHeaderNames,
    carriesCredentials,
    credentialId: credentialIds[0],
    client: connecting && { certificate: connecting.settings.certificate ?? "", key: connecting.secret },
    authority: connecting?.settings.authority,
    answerRefusal: challenged
      ? async (response) => answerChallenge(challenged, response)
      : clients.length > 0
        ? renewTokens
        : undefined,
  };
}
