import { z } from "@hono/zod-openapi";
import { pino } from "pino";
import { expect, test } from "vitest";
import { endpoint } from "#contracts/kit/endpoint.ts";
import { systemClock } from "../clock/clock.ts";
import { createTestIdentities } from "../testing/identities.ts";
import { createService } from "./service.ts";

const contract = {
  store: endpoint({
    method: "post",
    path: "/files",
    access: "apis:write",
    summary: "Stores a file",
    body: z.object({ text: z.string() }),
    otherBodies: { "multipart/form-data": z.any() },
    streamsBody: true,
    status: 200,
    response: z.object({ isUnread: z.boolean(), text: z.string() }),
  }),
};
const identities = createTestIdentities();
const service = createService({
  name: "files",
  description: "Stores files",
  version: "1.0.0",
  contract,
  handlers: {
    store: async ({ request, body }) => ({
      isUnread: body === undefined && !request.bodyUsed,
      text: await request.text(),
    }),
  },
  authenticate: identities.authenticate,
  clock: systemClock,
  log: pino({ level: "silent" }),
  checkHealth: async () => {},
});

function post(type: string, body: string, scopes?: []): Promise<Response> {
  const { token } = identities.tokenFor(scopes ? { scopes } : {});
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
  return Promise.resolve(service.fetch(new Request("http://service/files", { method: "POST", headers, body })));
}

test("a streamed body is passed to its handler unread, whatever its type", async () => {
  for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
    const response = await post(type, "not even JSON");
    expect(await response.json()).toEqual({ isUnread: true, text: "not even JSON" });
  }
});

test("an unauthorized caller is refused before the body is read", async () => {
  expect((await post("application/json", "{", [])).status).toBe(403);
});

test("a streamed body is described once, like any other", async () => {
  const response = await service.request("/openapi.json");
  const { paths } = (await response.json()) as {
    paths: Record<string, { post: { requestBody: { content: object } } }>;
  };
  expect(Object.keys(paths["/files"]!.post.requestBody.content)).toEqual(["application/json", "multipart/form-data"]);
});
