import type { FieldError } from "#contracts/kit/problem.ts";
import { isCertificate, wrapPem } from "./pem.ts";

export type CredentialType =
  | "basic"
  | "bearer"
  | "apiKey"
  | "oauth2ClientCredentials"
  | "digest"
  | "mutualTls"
  | "awsSignatureV4";

export interface CredentialSettings {
  username?: string;
  in?: "header" | "query" | "cookie";
  parameterName?: string;
  tokenUrl?: string;
  clientId?: string;
  clientAuthentication?: "client_secret_basic" | "client_secret_post";
  scope?: string;
  audience?: string;
  certificate?: string;
  authority?: string;
  accessKeyId?: string;
  region?: string;
  service?: string;
}

/** RFC 9110 `token`: what a header or cookie may be called. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;
/** RFC 6749, 3.3: scopes are words of printable ASCII but quotes and backslashes. */
const scopes = /^[\x21\x23-\x5b\x5d-\x7e]+( +[\x21\x23-\x5b\x5d-\x7e]+)*$/;
/** Headers that frame or route the message; a secret in them would change where it goes or how it is read. */
const framingHeaders =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
export const controlCharacters = /[\u0000-\u001f\u007f]/;

type Fault = (path: keyof CredentialSettings, message: string) => void;

/** Both schemes join name and password by a colon (RFC 7617, RFC 7616). */
function judgeUsername({ username = "" }: CredentialSettings, fault: Fault) {
  if (username === "") fault("username", "Enter the user name");
  else if (username.includes(":")) fault("username", "A user name can't contain a colon");
  else if (controlCharacters.test(username)) fault("username", "A user name is one line of text");
}

function judgeApiKey(settings: CredentialSettings, fault: Fault) {
  const { parameterName = "" } = settings;
  if (!settings.in) fault("in", "Choose where the key goes: header, query or cookie");
  if (parameterName === "") fault("parameterName", "Enter the name of the header or parameter");
  else if (settings.in === "query" ? controlCharacters.test(parameterName) : !token.test(parameterName)) {
    fault("parameterName", "Use letters, digits and hyphens only, as in X-API-Key");
  } else if (settings.in === "header" && framingHeaders.test(parameterName)) {
    fault("parameterName", "This header belongs to the connection and can't carry a key");
  }
}

function judgeClient({ tokenUrl = "", clientId = "", scope, audience }: CredentialSettings, fault: Fault) {
  if (tokenUrl === "") fault("tokenUrl", "Enter the token URL");
  else if (!isTokenUrl(tokenUrl)) {
    fault("tokenUrl", "Write a URL without a user name, as in https://login.example.com/oauth2/token");
  }
  if (clientId === "") fault("clientId", "Enter the client ID");
  else if (controlCharacters.test(clientId)) fault("clientId", "A client ID is one line of text");
  if (scope && !scopes.test(scope)) fault("scope", "Separate scopes by spaces, as in orders:read orders:write");
  if (audience && controlCharacters.test(audience)) fault("audience", "An audience is one line of text");
}

function isTokenUrl(text: string): boolean {
  if (controlCharacters.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

function judgeCertificates({ certificate = "", authority }: CredentialSettings, fault: Fault) {
  if (certificate === "") fault("certificate", "Enter the client certificate");
  else if (!isCertificate(certificate)) {
    fault("certificate", "Paste a certificate in PEM, from -----BEGIN CERTIFICATE----- on");
  }
  if (authority && !isCertificate(authority)) {
    fault("authority", "Paste certificates in PEM, from -----BEGIN CERTIFICATE----- on");
  }
}

function judgeAccessKey({ accessKeyId = "", region = "", service = "" }: CredentialSettings, fault: Fault) {
  if (accessKeyId === "") fault("accessKeyId", "Enter the access key ID");
  else if (!/^\w+$/.test(accessKeyId)) fault("accessKeyId", "An access key ID has letters and digits only");
  if (region === "") fault("region", "Enter the region");
  else if (!/^[a-z0-9-]+$/.test(region)) fault("region", "Write a region as in eu-central-1");
  if (service === "") fault("service", "Enter the service");
  else if (!/^[a-z0-9-]+$/.test(service)) fault("service", "Write a service as in execute-api");
}

const judges: Record<CredentialType, (settings: CredentialSettings, fault: Fault) => void> = {
  basic: judgeUsername,
  bearer: () => {},
  apiKey: judgeApiKey,
  oauth2ClientCredentials: judgeClient,
  digest: judgeUsername,
  mutualTls: judgeCertificates,
  awsSignatureV4: judgeAccessKey,
};

export function findSettingsFaults(type: CredentialType, settings: CredentialSettings): FieldError[] {
  const faults: FieldError[] = [];
  judges[type](settings, (path, message) => faults.push({ path: `settings.${path}`, message }));
  return faults;
}

/** Only what the type knows: what a form left behind from another type is not kept. */
export function settingsFor(type: CredentialType, settings: CredentialSettings): CredentialSettings {
  const { username, parameterName, tokenUrl, clientId, scope, audience } = settings;
  switch (type) {
    case "basic":
    case "digest":
      return { username };
    case "bearer":
      return {};
    case "apiKey":
      return { in: settings.in, parameterName };
    case "oauth2ClientCredentials": {
      const { clientAuthentication = "client_secret_basic" } = settings;
      return {
        tokenUrl,
        clientId,
        clientAuthentication,
        ...(scope ? { scope } : {}),
        ...(audience ? { audience } : {}),
      };
    }
    case "mutualTls": {
      const { certificate = "", authority } = settings;
      return { certificate: wrapPem(certificate), ...(authority ? { authority: wrapPem(authority) } : {}) };
    }
    case "awsSignatureV4": {
      const { accessKeyId, region, service } = settings;
      return { accessKeyId, region, service };
    }
  }
}
