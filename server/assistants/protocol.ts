import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Assistant, Refused } from "./assistant.ts";
import { clean, dataNotice, toLine, toMarkedText } from "./marked-data.ts";
import { addResources } from "./resources.ts";
import type { Tool } from "./tool.ts";
import { tools } from "./tools/tools.ts";

const instructions = `API Assurance shows whether APIs do what their OpenAPI documents say. Find an API with find_apis, its operations with find_operations; explain_run and explain_incident say why tests fail, since when, and what changed. run_tests sends requests that change nothing. propose_test stores a draft that a person accepts in the portal: nothing here changes a test. ${dataNotice}`;

const annotationsByEffect = {
  reads: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  // Requests with safe methods, to APIs that answer what they like.
  runs: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  proposes: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
};

function refuse({ message, errors }: Refused) {
  const lines = errors.map(({ path, message: wrong }) => `- ${toLine(path)}: ${toLine(wrong)}`);
  return { isError: true, content: [{ type: "text" as const, text: [toLine(message), ...lines].join("\n") }] };
}

async function callTool(tool: Tool, input: unknown, assistant: Assistant) {
  try {
    const { summary, data } = await tool.answer(input as never, assistant);
    const cleaned = clean(tool.output.parse(data));
    return {
      content: [{ type: "text" as const, text: toMarkedText(summary, cleaned) }],
      structuredContent: { summary, notice: dataNotice, data: cleaned },
    };
  } catch (error) {
    if (error instanceof Refused) return refuse(error);
    throw error;
  }
}

function addTool(server: McpServer, tool: Tool, assistant: Assistant, onError: (error: unknown) => void): void {
  const { name, title, description, input, output, effect = "reads" } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: input,
      outputSchema: z.object({ summary: z.string(), notice: z.string(), data: output }),
      annotations: { title, ...annotationsByEffect[effect] },
    },
    async (given) => {
      try {
        return await callTool(tool, given, assistant);
      } catch (error) {
        // Logged here: the assistant gets a sentence, and nothing of the cause.
        onError(error);
        return refuse(new Refused("Something went wrong on the portal's side. Its log says what."));
      }
    },
  );
}

interface Options {
  version: string;
  onError(error: unknown): void;
}

/**
 * Answers MCP requests, each by itself: no session is stored, so that any process can answer the next one.
 * @returns a function that responds to one request, of which the body was read and parsed
 */
export async function createProtocol({ version, onError }: Options) {
  const { createMcpHandler, McpServer, ResourceTemplate } = await import("@modelcontextprotocol/server");

  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { assistant } = authInfo!.extra as { assistant: Assistant };
      const server = new McpServer({ name: "api-assurance", title: "API Assurance", version }, { instructions });
      for (const tool of tools) addTool(server, tool, assistant, onError);
      addResources(server, ResourceTemplate, assistant);
      return server;
    },
    // Nothing is announced later, so no stream is kept open.
    { maxSubscriptions: 0, onerror: onError },
  );
  return async function respond(request: Request, parsedBody: unknown, assistant: Assistant): Promise<Response> {
    const authInfo = { token: "", clientId: "", scopes: [...assistant.scopes], extra: { assistant } };
    return await handler.fetch(request, { parsedBody, authInfo });
  };
}
