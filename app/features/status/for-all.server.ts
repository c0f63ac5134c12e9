import { createHash } from "node:crypto";
import { beforeStatusName } from "~/features/status/status-address";

/** Responses that are the same for every client, may be cached, and are made without a session. */
export function isForAll(pathname: string): boolean {
  return pathname.startsWith(beforeStatusName);
}

/** The response with its ETag, or 304 to a client that has it. */
export async function tagged(request: Request, response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const body = await response.text();
  const tag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = new Headers(response.headers);
  headers.set("etag", tag);
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((one) => one.trim());
  if (known.includes(tag)) return new Response(null, { status: 304, headers });
  return new Response(body, { status: 200, headers });
}
