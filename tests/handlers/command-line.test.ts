import { afterAll, beforeAll, expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { requireValue } from "../../services/kit/client/client.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { portalOrigin } from "../support/handled-services.ts";
import { makeTests } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await joinAs(portal, "EDITOR");
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

const served = `npx ${portalOrigin}/cli/${packageFile.version}.tgz`;

test("an organization without tests sees the lines for its shell, with a name to replace", async () => {
  const page = await (await visitor.open("/profile")).follow("Command line");
  expect(page.heading).toBe("Command line");
  expect(page.text).toContain(`${served} check openapi.yaml --url`);
  expect(page.text).toContain(`${served} login ${portalOrigin}`);
  expect(page.text).toContain(`${served} run --circle 'Name of a circle'`);
});

test("lines name what there is to run: an API, then a circle of it", async () => {
  const { backend, apiId, testIds } = await makeTests(portal.backend, targetApi);
  const { name } = requireValue(await backend.apiRegistry.getApi({ params: { apiId } }), "API");
  const runs = await visitor.open(`/test-management/${apiId}/runs`);
  const ofApi = await runs.follow("Run in a pipeline");
  expect(ofApi.text).toContain(`run --api ${name}`);
  const members = [{ testId: testIds["Lists books"]! }];
  requireValue(await backend.testRegistry.createCircle({ body: { name: "Every night", members } }), "circle");
  const ofCircle = await runs.follow("Run in a pipeline");
  expect(ofCircle.text).toContain("run --circle 'Every night'");
  expect(ofCircle.text).toContain("circle: Every night comment: true");
  expect((await visitor.open("/profile/command-line?apiId=unknown")).text).toContain("run --circle 'Name of a circle'");
});

test("a token for pipelines is created, shown once in the lines that store it, and may run but not change tests", async () => {
  const list = await visitor.open("/profile/api-tokens");
  const form = await list.follow("For a pipeline");
  const refused = await form.submit("Create token", { name: " ", expiresInDays: "30" });
  expect([refused.status, refused.errors("name"), refused.value("expiresInDays")]).toEqual([
    422,
    "Name the token",
    "30",
  ]);
  const made = await refused.submit("Create token", { name: "Shop, main" });
  const token = /aap_[0-9A-Za-z]{46}/.exec(made.text)?.[0] ?? "";
  expect(made.text).toContain(`gh secret set ASSURANCE_TOKEN --body ${token}`);
  expect(made.text).toContain(`glab variable set ASSURANCE_TOKEN ${token} --masked`);
  expect(made.text).toContain("secrets.ASSURANCE_TOKEN }}");
  expect((await visitor.open("/profile/command-line")).text).not.toContain(token);
  const [row] = (await visitor.open("/profile/api-tokens")).rows("Shop, main");
  expect(row).toContain("Read APIs, Read tests and results, Run tests");
});

test("a viewer, who may not run tests, reads why there is no token for them", async () => {
  const viewer = await joinAs(portal, "VIEWER");
  const page = await viewer.open("/profile/command-line");
  expect(page.text).toContain("Your role may not run tests");
  expect(page.text).toContain(`${served} check openapi.yaml`);
  await expect(page.submit("Create token")).rejects.toThrow();
  const sent = await viewer.post("/profile/command-line", { name: "Forced", expiresInDays: "30" });
  expect(sent.text).not.toMatch(/aap_[0-9A-Za-z]{46}/);
});
