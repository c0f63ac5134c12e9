import { decodeJwt } from "jose";
import type { Logger } from "pino";
import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import { findRefusalOfHost, getPublicOrigin } from "../../app/session/request-origin.ts";
import type { Caller } from "../../services/kit/client/client.ts";
import { isApiToken } from "../../services/kit/identity/api-token.ts";
import { isOutdated } from "../../services/kit/identity/identity.ts";
import { problemResponse } from "../../services/kit/problem/problem-response.ts";
import { getClientAddress, isFromTrustedProxy } from "../../services/kit/service/client-address.ts";
import { defaultBodyBytes, readLimitedText } from "../../services/kit/service/limited-body.ts";
import { createApiTokenExchange } from "../api-tokens.ts";
import type { Configuration } from "../configuration.ts";
import type { Root } from "../http.ts";
import type { Wiring } from "../wiring.ts";
import type { Assistant } from "./assistant.ts";
import { writeLlmsText } from "./llms-text.ts";

interface Given {
  configuration: Pick<Configuration, "publicUrl" | "trustedProxies" | "version">;
  log: Logger;
  wiring: Pick<Wiring, "accessState" | "connections" | "portalToken">;
}

/** Where assistants connect. */
export const assistantsPath = "/mcp";
/** What the product is, for language models. */
export const llmsPath = "/llms.txt";

const tokenNeeded =
  "Send an API token of the portal as bearer token. Create it on the portal's page Profile, API tokens.";

/** Pages of other sites may neither call nor read, also under a name that DNS leads here (MCP, security of transports). */
function refuseOtherSites(request: Request, publicOrigin: string | undefined, viaTrustedProxy: boolean) {
  const wrongHost = findRefusalOfHost(request, publicOrigin, viaTrustedProxy);
  if (wrongHost) return new Response(wrongHost.sentence, { status: wrongHost.status });
  const origin = request.headers.get("origin");
  if (origin === null || origin === publicOrigin) return undefined;
  return problemResponse(new Problem("forbidden", "Pages of other sites can't use this portal."), uuidv7());
}

/** One JSON-RPC message: lists of them ended with the protocol's version of 2025-06-18, and would be many calls in one. */
async function readMessage(request: Request): Promise<unknown> {
  const text = await readLimitedText(request, defaultBodyBytes);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Problem("malformed_request", "The body is no JSON.");
  }
  if (Array.isArray(body)) throw new Problem("malformed_request", "Send one message in a request.");
  return body;
}

/**
 * The MCP server: Streamable HTTP without sessions. Every call of a service is made with the caller's own API token, so
 * that scopes, organizations, limits and audit records are those of any other program.
 */
export function serveAssistants(root: Root, { configuration, log, wiring }: Given): void {
  const { publicUrl, trustedProxies, version } = configuration;
  const exchangeApiToken = createApiTokenExchange(wiring);
  const onError = (error: unknown) => log.warn({ err: error }, "request of an assistant failed");
  /** The protocol's library takes memory and time to load, and most portals never need it. */
  let protocol: ReturnType<typeof loadProtocol> | undefined;
  async function loadProtocol() {
    const { createProtocol } = await import("./protocol.ts");
    return await createProtocol({ version, onError });
  }

  /** @throws Problem without a valid API token */
  async function authenticate(request: Request): Promise<string> {
    const headers = new Headers(request.headers);
    const bearer = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
    if (!bearer || !isApiToken(bearer)) throw new Problem("unauthenticated", tokenNeeded);
    const refusal = await exchangeApiToken(headers);
    if (refusal) throw refusal;
    const token = headers.get("authorization")!.slice("Bearer ".length);
    if (isOutdated(token, wiring.accessState)) throw new Problem("unauthenticated", tokenNeeded);
    return token;
  }

  function connect(caller: Caller, origin: string): Assistant {
    const { connections } = wiring;
    const { scopes = [] } = decodeJwt<{ scopes?: string[] }>(caller.token!);
    return {
      services: {
        securityService: connections.securityService(caller),
        portalService: connections.portalService(caller),
        apiRegistry: connections.apiRegistry(caller),
        testRegistry: connections.testRegistry(caller),
        testExecutioner: connections.testExecutioner(caller),
        testAnalyzer: connections.testAnalyzer(caller),
      },
      scopes: new Set(scopes),
      origin,
    };
  }

  root.get(llmsPath, (c) => {
    const publicOrigin = getPublicOrigin(c.req.raw, publicUrl);
    const isTrusted = isFromTrustedProxy(c.env.incoming, trustedProxies);
    const wrongHost = findRefusalOfHost(c.req.raw, publicOrigin, isTrusted);
    if (wrongHost) return new Response(wrongHost.sentence, { status: wrongHost.status });
    const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" };
    return new Response(writeLlmsText(publicOrigin!), { headers });
  });

  root.all(assistantsPath, async (c) => {
    const request = c.req.raw;
    const publicOrigin = getPublicOrigin(request, publicUrl);
    const refusal = refuseOtherSites(request, publicOrigin, isFromTrustedProxy(c.env.incoming, trustedProxies));
    if (refusal) return refusal;
    const requestId = uuidv7();
    try {
      const token = await authenticate(request);
      if (request.method !== "POST") throw new Problem("method_not_allowed", undefined, { allow: "POST" });
      const client = {
        address: getClientAddress(c.env.incoming, trustedProxies),
        voucher: await wiring.portalToken(),
      };
      const body = await readMessage(request);
      protocol ??= loadProtocol();
      const respond = await protocol;
      return await respond(request, body, connect({ token, requestId, client }, publicOrigin!));
    } catch (error) {
      if (error instanceof Problem) return problemResponse(error, requestId);
      throw error;
    }
  });
}
