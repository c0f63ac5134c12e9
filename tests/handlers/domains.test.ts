import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;
let host: Target;
beforeAll(async () => {
  [portal, host] = await Promise.all([
    openHandledPortal(),
    startTarget((_, response) => void response.writeHead(404).end()),
  ]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await host.close();
});

async function create(values: Record<string, string>) {
  return await (await visitor.open("/administration/domain/create")).submit("Create domain", values);
}

test("a domain's form keeps the input and reports errors at the field", async () => {
  const refused = await create({ name: "not a host!", description: "Ours", method: "wellKnown" });
  expect(refused.status).toBe(422);
  expect(refused.errors("name")).toContain("Enter a host name, e.g. api.example.com");
  expect(refused.value("name")).toBe("not a host!");
  expect(refused.value("description")).toBe("Ours");
  const wildcard = await refused.submit("Create domain", { name: "*.shop.example.com" });
  expect(wildcard.status).toBe(422);
  expect(wildcard.text).toContain("A wildcard covers many hosts: verify it with a DNS record");
});

test("a domain is created, proven by a file with the displayed text, and listed as verified", async () => {
  const page = await create({ name: host.host, description: "Staging", method: "wellKnown" });
  expect(page.text).toContain(`${host.host} is created. Prove now that it is yours.`);
  expect(page.heading).toBe(host.host);
  const line = /api-assurance=[\w-]{32}/.exec(page.text)![0];
  expect(page.text).toContain(`https://${host.host}/.well-known/api-assurance.txt`);

  const unproven = await page.submit("Check now");
  expect(unproven.text).toContain("returned 404 instead of 200");
  expect(unproven.text).toContain(`${host.host} is not verified.`);
  host.answer((_, response) => void response.end(`${line}\n`));
  const proven = await unproven.submit("Check now");
  expect(proven.text).toContain(`Verified: ${host.host}.`);
  const list = await visitor.open("/administration/domain?state=verified");
  expect(list.rows(host.host)[0]).toContain("StagingVerifiedNone");

  host.answer((_, response) => void response.writeHead(404).end());
  const deleted = await proven.submit("Check now");
  expect(deleted.text).toContain("Verification record no longer found");
  expect(deleted.text).toContain("stays verified unless 3 more daily checks in a row miss it");
});

test("a TXT record is displayed for copying, and another way of proof is chosen later", async () => {
  const page = await create({ name: "api.shop.example.com", method: "dnsTxt" });
  expect(page.text).toContain("_api-assurance.api.shop.example.com");
  const saved = await page.submit("Save", { method: "wellKnown", description: "Shop" });
  expect(saved.text).toContain("api.shop.example.com is saved.");
  expect(saved.text).toContain("https://api.shop.example.com/.well-known/api-assurance.txt");
  expect(saved.value("description")).toBe("Shop");
});

test("a domain of a credential has a page with that credential, and is deleted only without it", async () => {
  const body = { name: "Till", domain: "till.example.com", type: "bearer" as const, settings: {}, secret: "s-1" };
  const { id: credentialId } = requireValue(
    await portal.backend.securityService.createCredential({ body }),
    "credential",
  );
  const page = await (await visitor.open("/administration/domain?query=till")).follow("till.example.com");
  expect(page.rows("Till")).toHaveLength(1);
  expect(page.link("Create a credential")).toContain("/administration/credentials/create?domain=till.example.com");
  const refused = await page.follow("Delete");
  expect(refused.text).toContain("1 credential is bound to it. Delete it first");
  requireValue(await portal.backend.securityService.deleteCredential({ params: { credentialId } }), "deleting");
  const requesting = await (await visitor.open("/administration/domain/till.example.com/edit")).follow("Delete");
  const list = await requesting.submit("Delete domain");
  expect(list.text).toContain("till.example.com is deleted.");
  expect((await visitor.open("/administration/domain/till.example.com/edit")).status).toBe(404);
});
