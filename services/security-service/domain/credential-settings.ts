import type { FieldError } from "../../kit/problem/problem.ts";

export type CredentialType = "basic" | "bearer" | "apiKey" | "oauth2ClientCredentials";

export interface CredentialSettings {
  username?: string;
  in?: "header" | "query" | "cookie";
  parameterName?: string;
  tokenUrl?: string;
  clientId?: string;
  clientAuthentication?: "client_secret_basic" | "client_secret_post";
  scope?: string;
  audience?: string;
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

const judges: Record<CredentialType, (settings: CredentialSettings, fault: Fault) => void> = {
  basic: judgeUsername,
  bearer: () => {},
  apiKey: judgeApiKey,
  oauth2ClientCredentials: judgeClient,
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
  }
}
