import { type PortalProcess, signInForToken } from "../../tests/support/portal-process.ts";

export interface PortalSession {
  /** For the `cookie` header. */
  cookie: string;
  token: string;
}

/** Signs in as a browser does, for measuring pages. */
export async function openSession(portal: PortalProcess): Promise<PortalSession> {
  const response = await fetch(`${portal.origin}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: portal.origin, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ username: portal.username, password: portal.password }),
  });
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return { cookie, token: await signInForToken(portal) };
}

/** Registers a document through the public API; returns the API's id. */
export async function registerDocument(portal: PortalProcess, token: string, document: string): Promise<string> {
  const response = await fetch(`${portal.origin}/api/api-registry/api/v1/apis`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ source: { document } }),
  });
  if (!response.ok) throw new Error(`registering answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}
