import type { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Assistant, Refused, requireAnswer } from "./assistant.ts";
import { clean, toMarkedText } from "./marked-data.ts";
import { findApis } from "./tools/apis.ts";
import { explainRun } from "./tools/runs.ts";

/** Longest document that is handed out as a resource, in characters. */
const maxDocumentCharacters = 400_000;

/** The one value of a variable of a template, if it is an id. */
function requireId(value: string | string[] | undefined): string {
  const parsed = z.uuid().safeParse(value);
  if (!parsed.success) throw new Refused("No such resource: its address needs an id.");
  return parsed.data;
}

async function readApi(apiId: string, { services }: Assistant) {
  const { problems, ...api } = requireAnswer(await services.apiRegistry.getApi({ params: { apiId } }));
  const data = clean({ ...api, problems: problems.slice(0, 20) });
  return { mimeType: "text/plain", text: toMarkedText("One API, as registered.", data) };
}

/** The document as it was imported, as a JSON string: with its own line breaks it could write ours. */
async function readDocument(apiId: string, { services }: Assistant) {
  const { documentId } = requireAnswer(await services.apiRegistry.summarizeApi({ params: { apiId } }));
  const result = await services.apiRegistry.getDocument({ params: { apiId, documentId } });
  requireAnswer(result);
  const document = result.ok ? await result.response.text() : "";
  if (document.length > maxDocumentCharacters)
    throw new Refused("The document is too large for this. Use find_operations and describe_operation.");
  return { mimeType: "text/plain", text: toMarkedText("The OpenAPI document, as it was imported.", { document }) };
}

async function readRun(runId: string, assistant: Assistant) {
  const { summary, data } = await explainRun.answer({ runId } as never, assistant);
  return { mimeType: "text/plain", text: toMarkedText(summary, clean(explainRun.output.parse(data))) };
}

type Read = (resourceId: string, assistant: Assistant) => Promise<{ mimeType: string; text: string }>;

const resources: { name: string; template: string; title: string; description: string; read: Read }[] = [
  {
    ...{ name: "api", template: "assurance://apis/{id}", title: "API", read: readApi },
    description: "One API: servers, environments, security schemes, and the problems of its document",
  },
  {
    ...{ name: "document", template: "assurance://apis/{id}/document", title: "OpenAPI document", read: readDocument },
    description: "The current OpenAPI document of an API, as it was imported",
  },
  {
    ...{ name: "run", template: "assurance://runs/{id}", title: "Run", read: readRun },
    description: "One run with its failures, as explain_run returns it",
  },
];

/** The first APIs by name, as resources to choose from. */
async function listApis(assistant: Assistant) {
  const { data } = await findApis.answer({ limit: 50 } as never, assistant);
  const { apis } = clean(findApis.output.parse(data)) as { apis: { id: string; name: string }[] };
  return {
    resources: apis.map(({ id, name }) => ({ uri: `assurance://apis/${id}`, name, mimeType: "text/plain" })),
  };
}

/** Adds what can be read by address. */
export function addResources(server: McpServer, Template: typeof ResourceTemplate, assistant: Assistant): void {
  for (const { name, template, title, description, read } of resources) {
    const list = name === "api" ? () => listApis(assistant) : undefined;
    const metadata = { title, description, mimeType: "text/plain" };
    server.registerResource(name, new Template(template, { list }), metadata, async (uri, variables) => ({
      contents: [{ uri: uri.href, ...(await read(requireId(variables.id), assistant)) }],
    }));
  }
}
