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

/** Loaded on first use: its certificates and attestations stay in memory. */
const webAuthn = () => import("@simplewebauthn/server");

/**
 * Consumes the challenge that a browser signed.
 * @returns false when it was not issued, or has expired
 */
export type SpendChallenge = (challenge: string) => Promise<boolean>;

export const passkeyChallengeMilliseconds = 5 * 60_000;
/** ES256 and RS256, which cover all authenticators, and EdDSA. */
const algorithms = [-7, -257, -8];

const known = ({ credential_id: id, transports }: Pick<PasskeyRow, "credential_id" | "transports">) => ({
  id,
  transports: transports as Transports,
});

/** Options for `navigator.credentials.create`; authenticators that are registered already are excluded. */
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

/** Options for `navigator.credentials.get`. */
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

/**
 * Verifies a credential that a browser has created.
 * @returns undefined for one that is invalid or was not requested by us
 */
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
 * Verifies a passkey's signature over our challenge.
 * @returns the authenticator's signature counter; undefined for an invalid signature. Callers check the counter,
 * because a suspicious one is worth reporting to the owner only from a holder of the key.
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
