import { z } from "@hono/zod-openapi";
import { orNone } from "../../kit/or-none.ts";
import { credentialType, isOneLine } from "./credential-type.ts";

export const clientAuthentications = ["client_secret_basic", "client_secret_post"] as const;

/** RFC 6749, 3.3: scopes are words of printable ASCII but quotes and backslashes. */
const scopes = /^[\x21\x23-\x5b\x5d-\x7e]+( +[\x21\x23-\x5b\x5d-\x7e]+)*$/;

function isTokenUrl(text: string): boolean {
  if (!isOneLine(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

export const oauth2ClientCredentials = credentialType(
  {
    tokenUrl: orNone(z.string().trim().max(2_000)).describe(
      "OAuth 2.0: where an access token is asked for. The client secret goes to this host and to no other, the token to hosts of `domain`.",
    ),
    clientId: orNone(z.string().max(500)),
    clientAuthentication: orNone(z.enum(clientAuthentications)).describe("How the client proves itself to `tokenUrl`."),
    scope: orNone(z.string().trim().max(2_000)).describe("Scopes to request, separated by spaces."),
    audience: orNone(z.string().trim().max(2_000)).describe(
      "The API that the token is for, if the server requires it.",
    ),
  },
  {
    defaults: { clientAuthentication: "client_secret_basic" },
    check({ tokenUrl = "", clientId = "", scope, audience }, report) {
      if (tokenUrl === "") report("tokenUrl", "Enter the token URL");
      else if (!isTokenUrl(tokenUrl)) {
        report("tokenUrl", "Enter a URL without a user name, e.g. https://login.example.com/oauth2/token");
      }
      if (clientId === "") report("clientId", "Enter the client ID");
      else if (!isOneLine(clientId)) report("clientId", "A client ID is one line of text");
      if (scope && !scopes.test(scope)) report("scope", "Separate scopes with spaces, e.g. orders:read orders:write");
      if (audience && !isOneLine(audience)) report("audience", "An audience is one line of text");
    },
  },
);
