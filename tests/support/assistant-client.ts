import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { PortalBackend } from "./portal-backend.ts";

let made = 0;

/** An API token of this user, with these scopes. */
export async function createToken(
  { securityService }: Pick<PortalBackend, "securityService">,
  scopes: Scope[],
): Promise<string> {
  made += 1;
  const created = await securityService.createApiToken({ body: { name: `Assistant ${made}`, scopes } });
  return requireValue(created, "creating an API token").token;
}

export type AssistantClient = Awaited<ReturnType<typeof connectAssistant>>;

/** An assistant as the protocol's own client is: it knows an address and a token, and nothing else. */
export async function connectAssistant(
  address: string,
  token: string,
  options: { fetch?: (request: Request) => Promise<Response>; revision?: "newest" | "2025" } = {},
) {
  const ask = options.fetch;
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    ...(ask ? { fetch: (url: string | URL, init?: RequestInit) => ask(new Request(url, init)) } : {}),
  });
  const mode = options.revision === "2025" ? "legacy" : "auto";
  const client = new Client({ name: "assistant", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);

  async function call(name: string, input: Record<string, unknown> = {}) {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: input });
    const [block] = content as { type: string; text: string }[];
    const { data, summary } = (structuredContent ?? {}) as { data?: unknown; summary?: string };
    return { text: block!.text, data, summary, isError };
  }
  return {
    client,
    call,
    /** The data of a tool that is expected to answer. */
    async read<Data = Record<string, unknown>>(name: string, input: Record<string, unknown> = {}): Promise<Data> {
      const { data, isError, text } = await call(name, input);
      if (isError || !data) throw new Error(`${name}: ${text}`);
      return data as Data;
    },
  };
}
