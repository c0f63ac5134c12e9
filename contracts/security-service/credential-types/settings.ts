import { z } from "@hono/zod-openapi";
import { apiKey } from "./api-key.ts";
import { awsSignatureV4 } from "./aws-signature-v4.ts";
import { basic } from "./basic.ts";
import { bearer } from "./bearer.ts";
import type { FieldsOf } from "./credential-type.ts";
import { digest } from "./digest.ts";
import { mutualTls } from "./mutual-tls.ts";
import { oauth2ClientCredentials } from "./oauth2-client-credentials.ts";

/** Every type there is, in the order in which they are offered. */
export const typesOfCredentials = {
  basic,
  bearer,
  apiKey,
  oauth2ClientCredentials,
  digest,
  mutualTls,
  awsSignatureV4,
};

type Types = typeof typesOfCredentials;
export type CredentialType = keyof Types;
export type SettingsOf<Type extends CredentialType> = FieldsOf<Types[Type]["settings"]["shape"]>;
/** A type with the settings that belong to it. */
export type TypedSettings = { [Type in CredentialType]: { type: Type; settings: SettingsOf<Type> } }[CredentialType];

export const credentialTypes = Object.keys(typesOfCredentials) as [CredentialType, ...CredentialType[]];

/**
 * As they travel: the fields of every type, since a form sends those of all types and what another type left behind is
 * not kept. `credentialTypes` in an enum and one object here is what clients have been made for.
 */
export const credentialSettings = z.object({
  ...basic.settings.shape,
  ...bearer.settings.shape,
  ...apiKey.settings.shape,
  ...oauth2ClientCredentials.settings.shape,
  ...digest.settings.shape,
  ...mutualTls.settings.shape,
  ...awsSignatureV4.settings.shape,
});
