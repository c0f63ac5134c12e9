import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { connectAssistant, createToken } from "../support/assistant-client.ts";
import { registerApi, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

let portal: PortalProcess;
let target: Target;
beforeAll(async () => {
  [portal, target] = await Promise.all([startPortalProcess(), startTarget(() => {})]);
});
afterAll(async () => {
  await portal.stop();
  await target.close();
});

test("an assistant connects to the built portal by its address and an API token", async () => {
  const document = { openapi: "3.1.0", info: { title: "Orders", version: "1" }, paths: {} };
  target.answer((_, response) => void response.end(JSON.stringify(document)));
  const backend = await signInToBackend(portal);
  const apiId = await registerApi(backend, `${target.baseUrl}/openapi.json`);
  const token = await createToken(backend, ["apis:read", "tests:read"]);
  for (const revision of ["newest", "2025"] as const) {
    const { client, read } = await connectAssistant(`${portal.origin}/mcp`, token, { revision });
    expect(client.getServerVersion()).toMatchObject({ name: "api-assurance" });
    expect(await read("find_apis"), revision).toMatchObject({ apis: [{ id: apiId, name: "Orders" }] });
    await client.close();
  }
  expect(portal.output()).not.toMatch(/"level":[45]0/);
});

test("the protocol's library is no part of what a start loads", () => {
  const folder = "build/process";
  const read = (file: string) => (existsSync(`${folder}/${file}`) ? readFileSync(`${folder}/${file}`, "utf8") : "");
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, next] of read(file).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) load(next!);
  };
  load("server.js");
  const all = readdirSync(folder).filter((file) => file.endsWith(".js"));
  const withProtocol = all.filter((file) => read(file).includes("notifications/tools/list_changed"));
  expect(loaded.size).toBeGreaterThan(3);
  expect(withProtocol).not.toEqual([]);
  expect(withProtocol.filter((file) => loaded.has(file))).toEqual([]);
});
