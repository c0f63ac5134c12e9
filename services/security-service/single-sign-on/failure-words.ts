import type { AuthorizationResponseError, ResponseBodyError } from "openid-client";
import { ProviderUnreachable } from "./egress-fetch.ts";

export const usedSignOn = "This sign-in was used already, or took too long. Start again.";

/** Messages for the errors that a provider returns instead of a code, with a remedy. */
const refusals: Record<string, string> = {
  access_denied:
    "The provider refused. Either you cancelled, or you are not assigned to this application there: ask the person who manages it.",
  login_required: "The provider did not sign you in. Try again, and sign in there.",
  interaction_required: "The provider needs a response from you first. Try again, and respond there.",
  consent_required: "The provider needs your consent. Try again, and agree there.",
  temporarily_unavailable: "The provider is overloaded or being maintained. Try again in a few minutes.",
  server_error: "The provider failed. Try again in a few minutes.",
  unauthorized_client:
    "The provider does not let this portal sign people in. An administrator has to check the client there.",
  invalid_client:
    "The provider does not accept the portal's client ID or client secret. An administrator has to enter them again.",
  invalid_grant: usedSignOn,
};

/** Messages for invalid responses, by the library's codes. */
const errors: Record<string, string> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED:
    "The provider's token is not valid at this time. Its clock and the portal's differ, or the token has expired.",
  OAUTH_KEY_SELECTION_FAILED: "The provider's token is signed with a key that the provider does not publish.",
  OAUTH_UNSUPPORTED_OPERATION: "The provider's token is signed in a way that the portal does not accept.",
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: "The provider's token is not for this sign-in.",
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED:
    "The provider's metadata is for another issuer. Enter the issuer exactly as the provider writes it.",
  OAUTH_TIMEOUT: "The provider did not respond in time. Try again in a few minutes.",
};

const getCode = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");
/** Identified by code rather than class: the library is loaded at the first sign-in by provider. */
const isRefusal = (error: unknown): error is AuthorizationResponseError | ResponseBodyError =>
  ["OAUTH_AUTHORIZATION_RESPONSE_ERROR", "OAUTH_RESPONSE_BODY_ERROR"].includes(getCode(error));
const oneLine = (text: string) => text.replace(/\s+/g, " ").slice(0, 300);

/** The reason as a message for users, in our words for known kinds. It never contains a secret. */
export function toReason(error: unknown): string {
  const chain: unknown[] = [];
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  const unreachable = chain.find((one) => one instanceof ProviderUnreachable);
  if (unreachable) return `The provider can't be reached. ${(unreachable as Error).message}`;
  for (const one of chain) {
    if (isRefusal(one)) {
      const said = one.error_description ? oneLine(one.error_description) : one.error;
      return refusals[one.error] ?? `The provider refused: ${said}`;
    }
  }
  const known = chain.map((one) => errors[getCode(one)]).find(Boolean);
  if (known) return known;
  const [first] = chain as Error[];
  return `The provider's response can't be used: ${oneLine(first?.message ?? "it is not what was asked for")}.`;
}

/** Whether trying again later may help. */
export function isAway(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof ProviderUnreachable || getCode(at) === "OAUTH_TIMEOUT") return true;
  }
  return false;
}
