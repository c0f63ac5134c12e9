import type { CredentialType } from "#contracts/security-service/credential-types/settings.ts";
import { apiKey } from "./api-key";
import { awsSignatureV4 } from "./aws-signature-v4";
import { basic } from "./basic";
import { bearer } from "./bearer";
import type { CredentialKind } from "./credential-kind";
import { digest } from "./digest";
import { mutualTls } from "./mutual-tls";
import { oauth2ClientCredentials } from "./oauth2-client-credentials";

export const credentialKinds: { [Type in CredentialType]: CredentialKind<Type> } = {
  basic,
  bearer,
  apiKey,
  oauth2ClientCredentials,
  digest,
  mutualTls,
  awsSignatureV4,
};
