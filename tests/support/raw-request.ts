import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One request as written: any `Host`, `Origin` and path, which `fetch` would set or normalize. */
export function ask(
  origin: string,
  path: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  // Node sets no content length for DELETE, and the server would parse the body as another request.
  const length = options.body === undefined ? {} : { "content-length": Buffer.byteLength(options.body) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, method: options.method ?? "GET", headers: { ...options.headers, ...length } },
      async (response) => {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      },
    );
    request.once("error", reject);
    request.end(options.body);
  });
}

/** The `Cookie` header of a browser that has just signed in with the form. */
export async function signInForCookies(
  origin: string,
  visitor: { username: string; password: string; publicOrigin?: string },
): Promise<string> {
  const publicOrigin = visitor.publicOrigin ?? origin;
  const response = await ask(origin, "/login", {
    method: "POST",
    headers: {
      host: new URL(publicOrigin).host,
      origin: publicOrigin,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ username: visitor.username, password: visitor.password }).toString(),
  });
  if (response.status !== 303) throw new Error(`Signing in was answered with ${response.status}:\n${response.text}`);
  return (response.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
}
