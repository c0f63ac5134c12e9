import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;

beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
afterAll(() => portal.stop());

const responses = { default: { description: "ok" } };
const document = JSON.stringify({
  ...{ openapi: "3.0.3", info: { title: "Pets", version: "1" }, servers: [{ url: "https://pets.example.com" }] },
  paths: { "/pets": { get: { responses } } },
});
const request = (name: string, path: string) => ({
  name,
  request: {
    method: "GET",
    url: `https://pets.example.com${path}`,
    header: [{ key: "X-Api-Key", value: "k3y-of-pets" }],
  },
  event: [{ listen: "test", script: { exec: ["pm.response.to.have.status(200);", "if (a) { b(); }"] } }],
});
const collection = JSON.stringify({
  info: { name: "Pets of the shop" },
  item: [{ name: "Reads", item: [request("List", "/pets"), request("Elsewhere", "/owners")] }],
});

test("a pasted collection is reviewed, choices are kept, and importing shows links to what was created", async () => {
  const api = await portal.backend.apiRegistry.registerApi({ body: { source: { document } } });
  const { id: apiId } = requireValue(api, "registering");
  const tests = await visitor.open(`/test-management/${apiId}/tests`);
  const empty = await tests.follow("Import");
  expect((await empty.submit("Review")).text).toContain("Choose a file, or paste its content.");

  const reviewed = await empty.submit("Review", { pasted: collection });
  expect(reviewed.text).toContain("Pets of the shop: read as Postman");
  expect(reviewed.text).toContain(
    "1 test and 1 circle will be created. Of no operation of the API, and left out: 1 request.",
  );
  expect(reviewed.text).toContain("key X-Api-Key for pets.example.com, sent by 1 test");
  expect(reviewed.text).toContain("condition a");
  expect(reviewed.text).not.toContain("k3y-of-pets");

  const again = await reviewed.submit("Review again", { unmatched: true });
  expect(again.text).toContain("2 tests and 1 circle will be created.");
  expect(again.text).toContain("Reads / Elsewhere");
  const done = await again.submit("Import", { take: ["pasted#List", "circle 1"] });
  expect(done.text).toContain("Imported from Postman: 1 test, 1 circle, 1 credential");
  expect((await done.follow("Tests of Pets")).text).toContain("List");
  expect((await done.follow("Reads")).status).toBe(200);
});

test("without a document, registering leads to an API made from a collection", async () => {
  const register = await visitor.open("/api-management/register");
  const page = await register.follow("Import a collection");
  const file = new File([collection], "pets.json", { type: "application/json" });
  const reviewed = await page.submit("Review", { files: [file] });
  expect(reviewed.text).toContain("2 tests and 1 circle will be created.");
  const done = await reviewed.submit("Import", { apiName: "Shop of pets" });
  expect(done.text).toContain("The API Shop of pets was registered");
  expect((await done.follow("Details of Shop of pets")).text).toContain("https://pets.example.com");
});

test("a file that can't be read is refused with its line, and what was pasted stays", async () => {
  const page = await visitor.open("/api-management/import");
  const refused = await page.submit("Review", { pasted: '{"info": {},\n"item": [}', format: "postman" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("pasted: line 2: It is not JSON");
  expect(refused.value("pasted")).toContain('"item": [}');
  expect(refused.value("format")).toBe("postman");
});
