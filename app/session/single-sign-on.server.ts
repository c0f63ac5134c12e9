import { Authenticator } from "remix-auth";
import { Strategy } from "remix-auth/strategy";
import type { Backend } from "~/backend/backend";
import type { PortalContext } from "~/session/context";
import { expireCookie, readCookies, setCookie } from "~/session/cookies";
import { sessionFrom } from "~/session/session.server";
import { SignInRefused } from "~/session/sign-in.server";
import type { BegunSignOn, SignOn } from "~/session/sign-on-state";
import type { AuthSession } from "~/session/stored-session";

/** Long enough to fetch a phone. */
const signOnSeconds = 15 * 60;

const isSecure = ({ publicOrigin }: Pick<PortalContext, "publicOrigin">) => publicOrigin.startsWith("https:");
const getName = (secure: boolean) => `${secure ? "__Host-" : ""}single-sign-on`;

export function signOnCookie(context: Pick<PortalContext, "publicOrigin" | "signOns">, stored: SignOn): string {
  const secure = isSecure(context);
  return setCookie(getName(secure), context.signOns.seal(stored, signOnSeconds), {
    secure,
    maxAgeSeconds: signOnSeconds,
  });
}

export function readSignOn(request: Request, context: Pick<PortalContext, "publicOrigin" | "signOns">): SignOn {
  return context.signOns.open(readCookies(request)[getName(isSecure(context))] ?? "") ?? {};
}

export const endSignOnCookie = (context: Pick<PortalContext, "publicOrigin">): string =>
  expireCookie(getName(isSecure(context)), isSecure(context));

/**
 * Without PUBLIC_URL the portal accepts every name of this machine, and a provider redirects to only one of them, where
 * the cookie of another is missing.
 * @param url of the provider, with its redirect address
 */
export function findOriginError(
  { publicOrigin }: Pick<PortalContext, "publicOrigin">,
  url: string,
): string | undefined {
  const { origin } = new URL(new URL(url).searchParams.get("redirect_uri") ?? publicOrigin);
  if (origin === publicOrigin) return undefined;
  return `The provider sends you back to ${origin}, and you opened the portal at ${publicOrigin}. Open it at ${origin}.`;
}

/** Input with which security-service completes the sign-on. */
export function returnedSignOn(request: Request, { organizationId, state, nonce, codeVerifier }: BegunSignOn) {
  return { organizationId, state, nonce, codeVerifier, returned: new URL(request.url).search.slice(0, 8_000) };
}

/** Signs in the user whom the organization's provider redirected to the browser that started it. */
class SingleSignOnStrategy extends Strategy<AuthSession, Request> {
  name = "single-sign-on";

  authenticate(request: Request): Promise<AuthSession> {
    return this.verify(request);
  }
}

/**
 * @param visitor opened by `connectForVisitor`
 * @throws SignInRefused
 */
export async function signInByProvider(
  request: Request,
  begun: BegunSignOn,
  { backend, headers }: { backend: Backend; headers: { "x-client-address": string } },
): Promise<AuthSession> {
  const authenticator = new Authenticator<AuthSession>();
  authenticator.use(
    new SingleSignOnStrategy(async (returned) => {
      const userAgent = returned.headers.get("user-agent")?.slice(0, 300) ?? "";
      const result = await backend.securityService.finishSingleSignOn({
        headers: { ...headers, "x-user-agent": userAgent },
        body: returnedSignOn(returned, begun),
      });
      if (!result.ok) throw new SignInRefused(result.problem);
      return sessionFrom(result.value, Date.now() / 1_000);
    }),
  );
  return await authenticator.authenticate("single-sign-on", request);
}
