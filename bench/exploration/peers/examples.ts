import type { Operation, ServerDocument } from "../servers/document.ts";
import { type FaultyServer, startServer } from "../servers/faulty-server.ts";

const order = ["post", "get", "put", "patch", "delete"];

/** The document with the faultless server's responses to its example requests as examples of its responses. */
export async function addResponseExamples(described: FaultyServer): Promise<ServerDocument> {
  const document = structuredClone(described.document);
  const server = await startServer(described);
  const calls = Object.entries(document.paths)
    .flatMap(([path, operations]) => Object.entries(operations).map(([method, one]) => ({ path, method, one })))
    .sort((one, two) => order.indexOf(one.method) - order.indexOf(two.method));
  try {
    for (const { path, method, one } of calls) {
      const body = one.requestBody?.content["application/json"].example;
      const response = await fetch(server.origin + address(path, one), {
        method: method.toUpperCase(),
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(described.apiKey && { [described.apiKey.header]: described.apiKey.key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const given = one.responses[response.status] as { content?: Record<string, { example?: unknown }> } | undefined;
      const content = given?.content?.["application/json"];
      if (content && response.ok) content.example = JSON.parse(text);
    }
  } finally {
    await server.stop();
  }
  return document;
}

function address(path: string, { parameters = [] }: Operation): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: location, example, required } of parameters) {
    if (location === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
    else if (location === "query" && required) query.set(name, String(example));
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}
