import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import type { FormPage } from "../support/form-page.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { type MadeTests, makeTests, mend, runByPipeline } from "../support/made-tests.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

const broken = "Wants the impossible";

let portal: HandledPortal;
let targetApi: TargetApi;
let hook: Target;
let visitor: Visitor;
beforeAll(async () => {
  hook = await startTarget((_, response) => void response.writeHead(204).end());
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
  await hook.close();
});

const getIncidents = (made: MadeTests, search = "") => `/test-management/incidents?apiId=${made.apiId}${search}`;

/** Reloads the page until it contains the text. */
async function waitFor(address: string, words: RegExp): Promise<FormPage> {
  let page = await visitor.open(address);
  await vi.waitUntil(
    async () => {
      page = await visitor.open(address);
      return words.test(page.text);
    },
    { timeout: 300_000, interval: 100 },
  );
  return page;
}

/** An API with an open incident; returns the incident's page. */
async function breakOne(): Promise<{ made: MadeTests; incident: FormPage; run: string }> {
  const made = await makeTests(portal.backend, targetApi);
  const run = `/test-management/${made.apiId}/runs/${await runByPipeline(made)}`;
  const list = await waitFor(getIncidents(made), new RegExp(`${broken} fails`));
  return { made, incident: await list.follow(`${broken} fails`), run };
}

test("a failure is found from dashboard, API, run and list, and its page links to run, execution and test", async () => {
  const healthy = await makeTests(portal.backend, targetApi);
  expect((await visitor.open(getIncidents(healthy))).text).toContain("No incidents");
  expect((await visitor.open(`/test-management/${healthy.apiId}/manage`)).text).not.toContain("Open incidents");

  const { made, incident, run } = await breakOne();
  expect((await visitor.open(getIncidents(made))).rows(broken)[0]).toMatch(/418.*200.*High.*Open.*ago.*1 test/);
  expect(incident.heading).toBe(`${broken} fails`);
  expect(incident.text).toMatch(/Reason.*418.*200/);
  expect(incident.text).toMatch(/Failing now ?1 of 1 test/);
  expect(incident.rows("GET /books")[0]).toMatch(/Wants the impossible.*Bookshop.*Failing/);
  expect(incident.rows(`${broken} failed.`)).toHaveLength(1);
  expect((await incident.follow("See the run")).address).toBe(run);
  const execution = await incident.follow("418");
  expect(execution.address).toMatch(/executions\/[^/]+\/verifications$/);
  expect((await execution.follow(`${broken} fails`)).address).toBe(incident.address);

  const counted = [
    ["/dashboard", /\d incidents?/],
    [`/test-management/${made.apiId}/manage`, /Open incidents \d/],
  ] as const;
  for (const [address, count] of counted) {
    const page = await visitor.open(address);
    expect(page.text, address).toMatch(count);
    expect((await page.follow(`${broken} fails`)).address).toMatch(/^\/test-management\/incidents\//);
  }
  // The count is of the last 10 seconds, on pages of every kind.
  await waitFor("/administration/domain", /Incidents ?\d+ open/);
  const failed = await visitor.open(run);
  expect(failed.text).toContain("Part of an open incident");
  expect((await failed.follow(`${broken} fails`)).address).toBe(incident.address);
});

test("an incident is acknowledged, muted for any time, unmuted, and resolved automatically", async () => {
  const { made, incident } = await breakOne();
  const acknowledged = await incident.submit("Acknowledge");
  expect(acknowledged.text).toMatch(/Acknowledged ?by Administrator.*Acknowledged by you/);
  expect(acknowledged.html).not.toContain(">Acknowledge<");
  const muted = await acknowledged.submit("For 4 hours");
  expect(muted.text).toMatch(/Muted until ?\d+ \w+ \d+, \d\d:\d\d UTC/);
  expect(muted.rows("Muted.")[0]).toMatch(/Until \d+ \w+ \d+, \d\d:\d\d UTC\./);
  const elsewhere = await visitor
    .copied()
    .post("/time-zone", { timeZone: "America/New_York", returnTo: muted.address });
  expect(elsewhere.text).toMatch(/Time zone: E[SD]T \(America\/New_York\)/);
  expect(elsewhere.rows("Muted.")[0]).toMatch(/Until \d+ \w+ \d+, \d\d:\d\d E[SD]T\./);
  expect((await visitor.open(getIncidents(made, "&state=muted"))).rows(broken)).toHaveLength(1);
  const unmuted = await muted.submit("Unmute");
  expect(unmuted.text).not.toMatch(/Muted until ?\w+ \d/);

  const form = await unmuted.follow("Until a date and time");
  const wrong = await form.submit("Mute", { until: "2020-01-01T09:00", timeZone: "Mars/Olympus" }, "Date and time");
  expect([wrong.status, wrong.value("until"), wrong.value("timeZone")]).toEqual([
    422,
    "2020-01-01T09:00",
    "Mars/Olympus",
  ]);
  expect(wrong.errors("timeZone")).toContain("Choose a time zone");
  const past = await wrong.submit("Mute", { timeZone: "Europe/Berlin" }, "Date and time");
  expect(past.errors("until")).toContain("within the next 30 days");
  const until = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
  const again = await past.submit("Mute", { until: `${until}T09:00` }, "Date and time");
  expect(again.text).toContain("Muted: no alerts for this incident.");
  expect(again.text).toContain("Administrator");

  await mend(made);
  await runByPipeline(made);
  const over = await waitFor(incident.address, /automatically: its tests recovered/);
  expect(over.text).toMatch(/Recovered/);
  expect(over.html).not.toMatch(/>(Resolve|Unmute|Acknowledge)</);
  expect((await visitor.open(getIncidents(made))).text).toContain("No incidents");
  expect((await visitor.open(getIncidents(made, "&state=resolved"))).rows(broken)).toHaveLength(1);
});

test("what passes manually elsewhere is recovering on every page, with what resolves it", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const testId = made.testIds[broken]!;
  const { testRegistry, testExecutioner } = portal.backend;
  const members = [{ kind: "test" as const, testId }];
  const circle = requireValue(await testRegistry.createCircle({ body: { name: "Nightly", members } }), "circle");
  const source = { testCircleId: circle.id };
  const program = await portal.backend.asProgram();
  const body = { source, trigger: "ci" as const };
  requireValue(await toTheEnd(program.testExecutioner).startRun({ body }), "running the circle");
  const incident = await (await waitFor(getIncidents(made), new RegExp(`${broken} fails`))).follow(`${broken} fails`);
  await mend(made);
  const run = requireValue(
    await toTheEnd(testExecutioner).startRun({ body: { source: { tests: [testId] } } }),
    "running manually",
  );

  const words = /Passed manually at \d\d:\d\d UTC; resolves with the next run where it failed\./;
  const recovering = await waitFor(incident.address, words);
  expect(recovering.text).toMatch(/Failing now ?1 of 1 test/);
  expect((await recovering.follow("See the run that passed")).address).toContain(run.id);
  const overview = `/test-management/${made.apiId}/manage`;
  const failing = `/test-management/failing-tests?apiId=${made.apiId}`;
  for (const address of [getIncidents(made), "/dashboard", overview, failing]) {
    expect((await visitor.open(address)).text, address).toMatch(words);
  }
  expect((await visitor.open(overview)).text).toContain("1 recovering");
  expect((await visitor.open("/dashboard")).text).not.toContain("Failing now None");

  const schedule = { cron: "@daily", timeZone: "UTC" };
  requireValue(await testRegistry.createSchedule({ params: { testCircleId: circle.id }, body: schedule }), "schedule");
  expect((await visitor.open(overview)).text).toMatch(/resolves with the next scheduled run \(.*00:00 UTC\)/);

  const resolving = requireValue(await toTheEnd(program.testExecutioner).startRun({ body }), "running the circle");
  const over = await waitFor(incident.address, /See the run that resolved it/);
  expect((await over.follow("See the run that resolved it")).address).toContain(resolving.id);
  expect((await visitor.open(overview)).text).not.toContain("recovering");
});

test("resolving asks first; a late attempt is reported as such", async () => {
  const { incident } = await breakOne();
  const requested = await incident.follow("Resolve");
  expect(requested.text).toContain("Later failures open a new incident");
  const resolved = await requested.submit("Resolve incident");
  expect(resolved.text).toMatch(/by Administrator.*The incident is resolved/);
  expect((await incident.submit("Acknowledge")).text).toContain("This incident is resolved.");
});

test("editors comment in an incident's timeline as plain text, and delete their own comments after confirmation", async () => {
  const { incident } = await breakOne();
  const refused = await incident.submit("Add comment", { text: " " });
  expect([refused.status, refused.errors("text")]).toEqual([422, expect.stringContaining("Write a comment")]);
  const text = "<script>alert(1)</script>\nBack at 15:00";
  const commented = await refused.submit("Add comment", { text });
  expect(commented.rows("Back at 15:00")[0]).toMatch(/Administrator.*Delete comment/);
  expect(commented.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;\nBack at 15:00");
  expect(commented.html).not.toContain("<script>alert(1)");
  const viewer = await joinAs(portal, "VIEWER");
  const seen = await viewer.open(incident.address);
  expect(seen.rows("Back at 15:00")).toHaveLength(1);
  expect(seen.html).not.toMatch(/Add comment|Delete comment/);
  expect((await viewer.post(incident.address, { intent: "comment", text: "Mine" })).status).toBe(403);
  const editor = await joinAs(portal, "EDITOR");
  const others = await editor.open(incident.address);
  expect(others.html).not.toContain("Delete comment");
  expect((await others.submit("Add comment", { text: "On it" })).rows("On it")).toHaveLength(1);
  const asked = await commented.follow("Delete comment");
  expect(asked.text).toContain("Delete this comment?");
  expect((await asked.submit("Delete comment")).rows("Back at 15:00")).toEqual([]);
});

test("an incident leads to the first failing run, to its tests' histories, and says what changed before", async () => {
  const { made, incident, run } = await breakOne();
  expect((await incident.follow("See the first failing run")).address).toBe(run);
  const history = await incident.follow(broken);
  expect(history.address).toMatch(/\/tests\/[^/]+\/executions\/list$/);
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const body = { name: "Bookshop 9", apiId: made.apiId, at };
  requireValue(await portal.backend.testAnalyzer.createMark({ body }), "mark");
  expect((await visitor.open(incident.address)).rows("Deployment: Bookshop 9")).toHaveLength(1);
});

test("a viewer sees incidents and rules, and no button that changes them", async () => {
  const { made, incident } = await breakOne();
  const viewer = await joinAs(portal, "VIEWER");
  const seen = await viewer.open(incident.address);
  expect(seen.heading).toBe(`${broken} fails`);
  expect(seen.html).not.toMatch(/>(Resolve|Mute|Acknowledge|Create an alert rule)</);
  expect((await viewer.post(incident.address, { intent: "resolve" })).status).toBe(403);
  const rule = `/test-management/${made.apiId}/alert-rules`;
  expect((await viewer.open(rule)).text).toContain("You can view this rule, but not change it");
  expect((await viewer.post(rule, { intent: "save" })).status).toBe(403);
});

test("rules: the organization's applies until an API or a circle has its own, and again once that is deleted", async () => {
  const { made, incident } = await breakOne();
  expect(incident.text).toMatch(/No alerts are sent.*No alert rule applies/);
  const url = `${hook.baseUrl}/hook`;
  const channel = await portal.backend.testAnalyzer.createChannel({
    body: { kind: "webhook", name: "On call", enabled: true, url },
  });
  const { id: channelId } = requireValue(channel, "creating a channel");
  const form = await incident.follow("Create an alert rule");
  expect(form.text).toContain("The organization has no rule yet");
  const wrong = await form.submit("Create rule", {
    afterMinutes: "0",
    remindHours: "never",
    quiet: true,
    from: "25:00",
  });
  expect(wrong.status).toBe(422);
  expect(wrong.errors("remindHours")).toContain("Enter a number");
  const refused = await wrong.submit("Create rule", { remindHours: "999" });
  expect([refused.errors("afterMinutes"), refused.errors("remindHours"), refused.errors("from")]).toEqual([
    expect.stringContaining("At least a minute"),
    expect.stringContaining("At most a week"),
    expect.stringContaining("e.g. 22:00"),
  ]);
  const tagged = await refused.submit("Add a tag", {
    afterRuns: "2",
    afterMinutes: "",
    remindHours: "4",
    from: "22:00",
  });
  expect(tagged.value("afterRuns")).toBe("2");
  const saved = await tagged.submit("Create rule", {
    "severities[0].tag": "checkout",
    channelIds: [channelId],
    timeZone: "Europe/Berlin",
  });
  expect(saved.text).toContain("The rule is saved.");
  expect([saved.value("remindHours"), saved.value("severities[0].tag")]).toEqual(["4", "checkout"]);

  const overview = await visitor.open(`/test-management/${made.apiId}/manage`);
  const ofApi = await overview.follow("Alert rule");
  expect(ofApi.text).toMatch(
    /The organization's rule applies here.*fails 2 times in a row.*alert On call.*every 4 hours.*22:00 to 07:00 Europe\/Berlin/,
  );
  const own = await ofApi.submit("Create rule", { afterRuns: "1", remindHours: "" });
  expect(own.text).not.toContain("applies here");

  const members = [{ kind: "test" as const, testId: made.testIds[broken]! }];
  const circle = requireValue(
    await portal.backend.testRegistry.createCircle({ body: { name: "Nightly", members } }),
    "creating a circle",
  );
  const circles = `/test-management/${made.apiId}/test-circles/${circle.id}`;
  const ofCircle = await (await visitor.open(`${circles}/edit`)).follow("Alert rule");
  expect(ofCircle.text).toContain("The rule of Bookshop applies here");
  const ownOfCircle = await ofCircle.submit("Create rule", { severity: "critical" });
  const requested = await ownOfCircle.follow("Use the rule of Bookshop again");
  expect(requested.text).toContain("Open incidents stay open.");
  expect((await requested.submit("Delete this rule")).text).toContain("The rule of Bookshop applies here");
  const all = await visitor.open("/test-management/alert-rules");
  expect((await all.follow("Bookshop")).address).toBe(`/test-management/${made.apiId}/alert-rules`);
  const deleted = await (await all.follow("Delete the rule")).submit("Delete this rule");
  expect(deleted.text).toContain("The organization has no rule yet");
});

test("the page of an incident names who is notified of it", async () => {
  const made = await makeTests(portal.backend, targetApi);
  const channel = await portal.backend.testAnalyzer.createChannel({
    body: { kind: "webhook", name: "Team", enabled: true, url: `${hook.baseUrl}/team` },
  });
  const rule = await visitor.open(`/test-management/${made.apiId}/alert-rules`);
  await rule.submit("Create rule", {
    channelIds: [requireValue(channel, "channel").id],
    afterRuns: "1",
    quiet: false,
  });
  await runByPipeline(made);
  const list = await waitFor(getIncidents(made), new RegExp(`${broken} fails`));
  const incident = await list.follow(`${broken} fails`);
  const alerted = await waitFor(incident.address, /Alerted ?Team at \d+ \w+ \d{4}/);
  expect(alerted.rows("Alerted Team.")).toHaveLength(1);
});
