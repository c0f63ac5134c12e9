import { afterAll, beforeAll, expect, test } from "vitest";
import { startDocumentServer } from "../../services/api-registry/testing/document-server.ts";
import { smallDocument } from "../../services/api-registry/testing/fixtures.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let server: Awaited<ReturnType<typeof startDocumentServer>>;
let owner: Visitor;
beforeAll(async () => {
  [portal, server] = await Promise.all([openHandledPortal(), startDocumentServer(smallDocument())]);
  owner = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await server.close();
});

const withoutPet = smallDocument({
  info: { title: "Small", version: "2" },
  paths: { "/new": { get: { responses: { "200": { description: "ok" } } } } },
});

test("a watched document that breaks something opens an incident, is reviewed on its page, and is taken over by a person", async () => {
  const { backend } = portal;
  const body = { source: { url: server.url }, name: "Watched" };
  const { id: apiId } = requireValue(await backend.apiRegistry.registerApi({ body }), "register");
  const settings = await owner.open(`/api-management/${apiId}/details`);
  const form = await settings.follow("Watch the document");
  expect(form.value("url")).toBe(server.url);
  const refused = await form.submit("Watch it", { url: "not an address", action: "report" });
  expect([refused.status, refused.value("url")]).toEqual([422, "not an address"]);
  expect(refused.errors("url")).toContain("Enter a full URL");

  server.serve(withoutPet);
  const saved = await refused.submit("Watch it", { url: server.url, action: "takeOver" });
  expect(saved.text).toContain("The document is watched.");
  const query = { apiId, state: "unresolved" as const };
  const listOpen = async () => requireValue(await backend.testAnalyzer.listIncidents({ query }), "incidents").items;
  await expect.poll(listOpen, { timeout: 60_000, interval: 200 }).toHaveLength(1);
  const [incident] = await listOpen();

  const page = await owner.open(`/test-management/incidents/${incident!.id}`);
  expect(page.heading).toContain("The document of Watched changed");
  expect(page.text).toContain("1 operation breaks. GET /pets/{petId}:");
  const review = await page.follow("Review the new version");
  expect(review.text).toMatch(/Version 2 waits for a decision.*0 changed, 1 removed.*Removed operations/s);
  const asked = await review.follow("Take it over");
  const taken = await asked.submit("Take over");
  expect(taken.text).toContain("Version 2 is taken over.");
  await expect.poll(listOpen, { timeout: 60_000, interval: 200 }).toEqual([]);

  const ended = await (await owner.open(`/api-management/${apiId}/details/watch?dialog=end`)).submit("End the watch");
  expect(ended.text).toContain("The document is no longer watched.");
});
