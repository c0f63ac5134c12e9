import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { makeTests } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

const listChannels = async () =>
  requireValue(await portal.backend.testAnalyzer.listChannels({ query: {} }), "channels").items;
const listRules = async () =>
  requireValue(await portal.backend.testAnalyzer.listRules({ query: { kind: "organization" } }), "rules").items;

test("a rule that another user has saved meanwhile is refused with a notice and without loss of input", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const address = `/test-management/${made.apiId}/alert-rules`;
  const first = await (await visitor.open(address)).submit("Create rule", { afterRuns: "3" });
  await first.submit("Save", { afterRuns: "4" });
  const refused = await first.submit("Save", { afterRuns: "5", remindHours: "6" });
  expect([refused.status, refused.value("afterRuns"), refused.value("remindHours")]).toEqual([412, "5", "6"]);
  expect(refused.text).toContain("Someone else changed this rule");
  const twice = await (await visitor.open(address)).submit("Save", { afterRuns: "6" });
  expect(twice.value("afterRuns")).toBe("6");
});

test("a rule may wait for minutes alone", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const form = await visitor.open(`/test-management/${made.apiId}/alert-rules`);
  const saved = await form.submit("Create rule", { afterRuns: "", afterMinutes: "30" });
  expect([saved.status, saved.value("afterRuns"), saved.value("afterMinutes")]).toEqual([200, "", "30"]);
});

test("a rule is a sentence with its scope, and an API says whose rule applies or is replaced", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const general = await (await visitor.open("/test-management/alert-rules")).submit("Create rule", { afterRuns: "2" });
  expect(general.text).toContain("When a test fails");
  const inherits = await visitor.open(`/test-management/${made.apiId}/alert-rules`);
  expect(inherits.text).toContain("The organization's rule applies here");
  expect(inherits.text).toContain(
    "When a test fails 2 times in a row, open an incident of high severity and alert no one.",
  );
  const wrong = await inherits.submit("Create rule", { afterMinutes: "soon", remindHours: "999" });
  expect([wrong.status, wrong.errors("afterMinutes"), wrong.value("afterMinutes")]).toEqual([
    ...[422, "Enter a number", "soon"],
  ]);
  const own = await inherits.submit("Create rule", { afterRuns: "3", afterMinutes: "30" });
  expect(own.text).toContain("This rule is used instead of the organization's rule.");
  const list = await own.follow("the organization's rule");
  expect(list.text).toMatch(/fails 3 times in a row or has been failing for 30 minutes, open an incident/);
  const dialog = await list.follow("Delete the rule");
  await dialog.submit("Delete this rule");
});

test("creating a channel while editing a rule leads back to the input, with the channel ticked", async () => {
  const rule = await visitor.open("/test-management/alert-rules");
  expect(rule.text).toContain("No alert channels yet");
  const tagged = await rule.submit("Add a tag", { afterRuns: "4" });
  const typed = { afterRuns: "7", "severities[0].tag": "checkout", remindHours: "3", onRecovery: false };
  let channel = await tagged.submit("Create a channel", typed);
  expect(channel.heading).toBe("Create an alert channel");
  channel = await channel.submit("Create channel", { kind: "mail", name: "" });
  expect(channel.status).toBe(422);
  const back = await channel.submit("Create channel", { name: "Team", addresses: "team@example.org" });
  expect([back.url.pathname, back.status]).toEqual(["/test-management/alert-rules", 200]);
  expect(back.text).toContain("We restored your unsaved changes");
  expect(["afterRuns", "severities[0].tag", "remindHours"].map((name) => back.value(name))).toEqual([
    ...["7", "checkout", "3"],
  ]);
  const saved = await back.submit("Create rule", { afterRuns: "4" });
  expect(saved.text).toContain("The rule is saved.");
  const [stored] = await listRules();
  expect(stored).toMatchObject({ afterRuns: 4, remindHours: 3, onRecovery: false, severities: [{ tag: "checkout" }] });
  expect(stored!.channelIds).toHaveLength(1);
});

test("a webhook created while editing a rule shows its secret, then leads back; so does cancelling", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const rule = await visitor.open(`/test-management/${made.apiId}/alert-rules`);
  const form = await rule.submit("Create a channel", { afterMinutes: "20" });
  const cancelled = await form.follow("Cancel");
  expect([cancelled.url.pathname, cancelled.value("afterMinutes")]).toEqual([rule.url.pathname, "20"]);
  const webhook = { kind: "webhook", name: "Pager", url: targetApi.origin };
  const secret = await form.submit("Create channel", webhook);
  expect(secret.text).toContain("whsec_");
  const back = await secret.follow("Go back to the alert rule");
  expect(back.value("afterMinutes")).toBe("20");
  const saved = await back.submit("Create rule");
  const names = (await listChannels()).filter(({ id }) => saved.html.includes(id)).map(({ name }) => name);
  expect(names).toContain("Pager");
});

test("the page to return to from a new channel belongs to the portal", async () => {
  const form = await visitor.open("/test-management/alert-channels/create?returnTo=https://evil.example/rule");
  expect(new URL(form.link("Cancel")).pathname).toBe("/dashboard");
});
