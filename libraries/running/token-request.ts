import type { OpenedCredential } from "./authorization.ts";

/** A client's request for an access token (RFC 6749, 4.4.2); many servers also require the audience. */
export function writeTokenRequest({ settings, secret }: OpenedCredential) {
  const { tokenUrl = "", clientId = "", clientAuthentication, scope, audience } = settings;
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  if (scope) body.set("scope", scope);
  if (audience) body.set("audience", audience);
  const headers: [string, string][] = [
    ["accept", "application/json"],
    ["content-type", "application/x-www-form-urlencoded"],
  ];
  if (clientAuthentication === "client_secret_post") {
    body.set("client_id", clientId);
    body.set("client_secret", secret);
  } else {
    // Both are form-encoded before they are joined (RFC 6749, 2.3.1).
    const pair = `${formEncode(clientId)}:${formEncode(secret)}`;
    headers.push(["authorization", `Basic ${Buffer.from(pair).toString("base64")}`]);
  }
  return { url: tokenUrl, headers, body: body.toString() };
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
