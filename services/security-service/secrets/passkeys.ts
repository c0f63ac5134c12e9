import type { generateAuthenticationOptions } from "@simplewebauthn/server";
import type { z } from "zod";
import type { addPasskey, BrowserOptions, usedCredential } from "#contracts/security-service/passkeys.ts";
import type { RelyingParty } from "../domain/relying-party.ts";
import type { PasskeyRow } from "../store/passkeys.ts";

type NewCredential = z.output<NonNullable<typeof addPasskey.body>>["credential"];
type UsedCredential = z.output<typeof usedCredential>;
type Transports = NonNullable<
  Parameters<typeof generateAuthenticationOptions>[0]["allowCredentials"]
>[number]["transports"];

/** Loaded when it is first needed: it brings certificates and attestations that would stay in memory. */
const webAuthn = () => import("@simplewebauthn/server");

/** Spends the challenge that a browser signed. @returns false where it was not asked to, or too long ago */
export type SpendChallenge = (challenge: string) => Promise<boolean>;

export const passkeyChallengeMilliseconds = 5 * 60_000;
/** ES256 and RS256, which all authenticators have between them, and EdDSA. */
const algorithms = [-7, -257, -8];

const known = ({ credential_id: id, transports }: Pick<PasskeyRow, "credential_id" | "transports">) => ({
  id,
  transports: transports as Transports,
});

/** What `navigator.credentials.create` is asked with; the authenticator is to be none that is known already. */
export async function optionsToCreate(
  { id }: RelyingParty,
  { userId, username, fullName }: { userId: string; username: string; fullName: string },
  passkeys: readonly PasskeyRow[],
): Promise<BrowserOptions> {
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: "API Assurance",
    rpID: id,
    userID: new TextEncoder().encode(userId),
    userName: username,
    userDisplayName: fullName,
    attestationType: "none",
    excludeCredentials: passkeys.map(known),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    supportedAlgorithmIDs: algorithms,
    timeout: passkeyChallengeMilliseconds,
  });
  return { ...options };
}

/** What `navigator.credentials.get` is asked with. */
export async function optionsToUse({ id }: RelyingParty, passkeys: readonly PasskeyRow[]): Promise<BrowserOptions> {
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: id,
    allowCredentials: passkeys.map(known),
    userVerification: "preferred",
    timeout: passkeyChallengeMilliseconds,
  });
  return { ...options };
}

/** Reads a credential that a browser has made. @returns undefined for what is not, or was not asked for by us */
export async function readNewCredential(
  credential: NewCredential,
  { id, origin }: RelyingParty,
  spend: SpendChallenge,
): Promise<Pick<PasskeyRow, "credential_id" | "public_key" | "sign_count" | "transports"> | undefined> {
  const { verifyRegistrationResponse } = await webAuthn();
  const transports = (credential.response.transports ?? []) as Transports;
  const response = { ...credential, response: { ...credential.response, transports }, clientExtensionResults: {} };
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: spend,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return undefined;
    const made = registrationInfo.credential;
    return {
      credential_id: made.id,
      public_key: Buffer.from(made.publicKey).toString("base64url"),
      sign_count: made.counter,
      transports: transports ?? [],
    };
  } catch {
    return undefined;
  }
}

/**
 * Whether a passkey signed what we asked for.
 * @returns how often the authenticator has signed; undefined where it did not sign this. Whether that count is believable is
 * for the caller to say: only who has the key is worth telling its owner of.
 */
export async function countOfUse(
  credential: UsedCredential,
  passkey: PasskeyRow,
  { id, origin }: RelyingParty,
  spend: SpendChallenge,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webAuthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge: spend,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
        counter: 0,
        transports: passkey.transports as Transports,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
