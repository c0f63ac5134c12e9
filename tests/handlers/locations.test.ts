import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgentKeys, getPublicKeys } from "#libraries/agent-keys/agent-keys.ts";
import { productVersion } from "../../cli/version.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { furnishLocation } from "../support/furnished-location.ts";
import { registerOrganization } from "../support/furnished-organization.ts";
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
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

const list = "/administration/locations";
const getPage = (locationId: string) => `${list}/${locationId}`;
const codePattern = /aac_[2-9A-Z]{32}/;

async function register(code: string, name: string, version = productVersion) {
  const body = { code, name, version, ...getPublicKeys(await createAgentKeys()) };
  return requireValue(await portal.backend.testExecutioner.registerAgent({ body }), "an agent");
}

test("without locations, the list says what one is and leads to the first", async () => {
  const page = await visitor.open(list);
  expect(page.text).toContain("All tests are sent from this portal");
  expect(page.text).toContain("only calls out");
  expect(page.link("Create a location")).toBe(`${portalOrigin}${list}/create`);
});

test("a location's form keeps the input and reports errors at the field", async () => {
  const form = await visitor.open(`${list}/create`);
  const refused = await form.submit("Create location", { name: " ", description: "Second floor" });
  expect(refused.status).toBe(422);
  expect(refused.errors("name")).toContain("Give the location a name");
  expect(refused.value("description")).toBe("Second floor");
  const created = await refused.submit("Create location", { name: "Hamburg" });
  expect(created.heading).toBe("Add an agent to Hamburg");
  const taken = await form.submit("Create location", { name: "hamburg", description: "Again" });
  expect(taken.status).toBe(409);
  expect(taken.errors("name")).toContain("Another location has this name");
  expect(taken.value("description")).toBe("Again");
});

test("a code is displayed once, with the line to enter at the reader's own address", async () => {
  const created = await (await visitor.open(`${list}/create`)).submit("Create location", { name: "Berlin" });
  expect(created.text).toContain("Berlin is created. Add its first agent now.");
  expect(created.html).not.toMatch(codePattern);
  const displayed = await created.submit("Create the code");
  const [code] = codePattern.exec(displayed.html)!;
  const command = `npx ${portalOrigin}/cli/${productVersion}.tgz agent`;
  expect(displayed.text).toContain(`${command} register --url ${portalOrigin} --code ${code}`);
  expect(displayed.text).toContain(`${command} --allow 10.0.0.0/8:443`);
  expect((await visitor.open(created.address)).html).not.toContain(code);

  await register(code, "build-host-7");
  const page = await displayed.follow("Done");
  expect(page.html).not.toContain(code);
  expect(page.rows("build-host-7")[0]).toContain(productVersion);
  expect(page.rows("build-host-7")[0]).toContain("Not started yet");
  expect((await visitor.open(list)).rows("Berlin")[0]).toContain("0 of 1");
});

test("an agent is revoked after a question that says what becomes of its work", async () => {
  const { locationId, agentId } = await furnishLocation(portal.backend, "Revoked");
  const page = await visitor.open(getPage(locationId));
  const asking = await page.follow("Revoke Revoked host");
  expect(asking.text).toContain("Revoke Revoked host?");
  expect(asking.text).toContain("No other agent of Revoked office is active");
  const revoked = await asking.submit("Revoke agent");
  expect(revoked.text).toContain("Revoked host is revoked.");
  expect(revoked.rows("Revoked host")[0]).toContain("Revoked");
  expect(() => revoked.link("Revoke Revoked host")).toThrow();
  const agent = requireValue(await portal.backend.testExecutioner.getAgent({ params: { agentId } }), "the agent");
  expect(agent.state).toBe("revoked");
  expect((await visitor.open(`${getPage(locationId)}?revoke=${agentId}`)).text).not.toContain("Revoke Revoked host?");
});

test("texts of an agent are displayed as texts", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Hostile");
  const { createAgentCode } = portal.backend.testExecutioner;
  const { code } = requireValue(await createAgentCode({ params: { locationId } }), "a code");
  const name = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
  const { agentId } = await register(code, name, `${productVersion}-a.b+c`);
  for (const address of [getPage(locationId), `${getPage(locationId)}?revoke=${agentId}`]) {
    const page = await visitor.open(address);
    expect(page.html).not.toMatch(/<img src=x|<script>alert/);
    expect(page.text).toContain("<img src=x onerror=alert(1)>");
  }
});

test("a location is changed only by who saw its latest version", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Changed");
  const page = await visitor.open(getPage(locationId));
  const saved = await page.submit("Save", { name: "Moved office" });
  expect(saved.text).toContain("Moved office is saved.");
  const stale = await page.submit("Save", { name: "Other office" });
  expect(stale.status).toBe(412);
  expect(stale.text).toContain("Someone else changed this location in the meantime.");
  expect(stale.value("name")).toBe("Other office");
});

test("a location is chosen for environments and circles, stays chosen, and its page says so", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Chosen");
  const { apiId, testIds } = await makeTests(portal.backend, targetApi);
  const environments = `/api-management/${apiId}/details/environments`;
  const added = await (await visitor.open(environments)).submit("Add an environment");
  const filled = { "items[0].name": "Staging", "items[0].baseUrl": targetApi.origin };
  const details = await added.submit("Save environments", { ...filled, "items[0].locationId": locationId });
  expect(details.text).toContain("Runs from: Chosen office");
  const form = await visitor.open(environments);
  expect(form.value("items[0].locationId")).toBe(locationId);
  const refused = await form.submit("Save environments", { "items[0].baseUrl": "no address" });
  expect(refused.value("items[0].locationId")).toBe(locationId);

  const circles = `/test-management/${apiId}/test-circles/create`;
  const [testId] = Object.values(testIds);
  const draft = await (await visitor.open(circles)).submit("Add selected tests", {
    ...{ picked: [testId!], name: "From there", locationId },
  });
  expect(draft.value("locationId")).toBe(locationId);
  const circle = await draft.submit("Create circle");
  expect(circle.text).toMatch(/Runs from ?Chosen office/);
  const page = await visitor.open(getPage(locationId));
  expect(page.link("From there")).toContain("/test-circles/");
  expect(page.link("Bookshop")).toContain(`/api-management/${apiId}/details`);

  const asking = await page.follow("Delete");
  expect(asking.text).toContain("It is chosen for 1 circle (From there) and 1 API (Bookshop)");
  const deleted = await asking.submit("Delete location");
  expect(deleted.text).toContain("Chosen office is deleted.");
  const after = await visitor.open(environments);
  expect(after.text).toContain("A deleted location");
  expect(after.value("items[0].locationId")).toBe(locationId);
  const back = await after.submit("Save environments", { "items[0].locationId": "default" });
  expect(back.text).not.toContain("Runs from:");
});

test("a test's own location is chosen in its editor, and a run chooses another place for itself", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Own");
  const { apiId, testIds } = await makeTests(portal.backend, targetApi);
  const [testId = ""] = Object.values(testIds);
  const edit = `/test-management/${apiId}/tests/${testId}/edit`;
  const saved = await (await visitor.open(edit)).submit("Save", { locationId });
  expect((await visitor.open(edit)).value("locationId")).toBe(locationId);
  expect(saved.text).toContain("was saved.");
  expect((await visitor.open(getPage(locationId))).text).toContain("Tests");

  const test = `/test-management/${apiId}/tests/${testId}/executions/list`;
  const asSet = await (await visitor.open(test)).submit("Run");
  expect(asSet.text).toContain("from Own office");
  await asSet.submit("Cancel");
  const here = await (await visitor.open(test)).submit("This portal");
  expect(here.text).not.toContain("from Own office");
  const list = await visitor.open(`/test-management/${apiId}/tests`);
  const several = await list.submit("Run selected", { selected: [testId], runFrom: locationId });
  expect(several.text).toContain("from Own office");
});

test("a circle is sent from several places with a rule, in its form and on its pages", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Several");
  const { apiId, testIds } = await makeTests(portal.backend, targetApi);
  const [testId = ""] = Object.values(testIds);
  const circles = `/test-management/${apiId}/test-circles/create`;
  const chosen = { locationId: "several", places: ["portal", locationId], placeRule: "atLeast", placeMinimum: "3" };
  const draft = await (await visitor.open(circles)).submit("Add selected tests", {
    ...{ picked: [testId], name: "From both", ...chosen },
  });
  const refused = await draft.submit("Create circle");
  expect(refused.status).toBe(422);
  expect(refused.errors("placeMinimum")).toContain("Enter how many of these places have to fail");
  const alone = await refused.submit("Create circle", { places: [locationId], placeRule: "all" });
  expect(alone.status).toBe(422);
  expect(alone.text).toContain("Choose 2 to 10 places, this portal included");
  const circle = await alone.submit("Create circle", { places: ["portal", locationId] });
  expect(circle.text).toMatch(/Runs from ?This portal, Several office/);
  expect(circle.text).toContain("a test fails if it fails from all that respond; a test counts once against the plan");
  const run = await circle.submit("Run");
  expect(run.text).toContain("from this portal, from Several office");
  expect(run.text).toContain("1 test, 2 executions");
  expect(run.text).toContain("Lists booksThis portal");
  expect(run.text).toContain("Lists booksSeveral office");
  const edited = await visitor.open(`${circle.address.replace(/[?#].*$/, "").replace(/\/overview$/, "")}/edit`);
  expect(edited.value("locationId")).toBe("several");
});

test("hostile places of a circle are errors at their fields, and what was entered stays", async () => {
  const [{ locationId }, ended] = await Promise.all([
    furnishLocation(portal.backend, "Tried"),
    furnishLocation(portal.backend, "Ended"),
  ]);
  const other = await registerOrganization(portal, "Foreign");
  const foreign = await furnishLocation(other.backend, "Foreign");
  const { apiId, testIds } = await makeTests(portal.backend, targetApi);
  await portal.backend.testExecutioner.deleteLocation({ params: { locationId: ended.locationId } });
  const [picked = ""] = Object.values(testIds);
  const create = await visitor.open(`/test-management/${apiId}/test-circles/create`);
  const entered = { name: "Tried places", locationId: "several", places: ["portal", locationId], placeRule: "atLeast" };
  const draft = await create.submit("Add selected tests", { picked: [picked], ...entered });
  const before = requireValue(await portal.backend.testRegistry.listCircles({ query: { apiId } }), "circles").items;
  for (const placeMinimum of ["0", "-1", "3", "11", "1e9", "99999999999999999999", "1.5", "two"]) {
    const refused = await draft.submit("Create circle", { placeMinimum });
    expect([placeMinimum, refused.status]).toEqual([placeMinimum, 422]);
    expect(refused.errors("placeMinimum"), placeMinimum).toMatch(/\S/);
    expect([refused.value("placeMinimum"), refused.value("name")]).toEqual([placeMinimum, "Tried places"]);
  }
  const hostile: [string[], string][] = [
    [[locationId, locationId], "Choose each location once"],
    [["portal", "portal"], "Choose 2 to 10 places"],
    [["portal", "nowhere"], "Choose from these places"],
    [["portal", ended.locationId], "One of these locations was deleted. Choose others"],
    [["portal", foreign.locationId], "One of these locations was deleted. Choose others"],
  ];
  const isSaving = ([name, value]: [string, string]) => name === "intent" && value === "save";
  const sent = draft.posts([]).find(({ entries }) => entries.some(isSaving))!;
  const others = sent.entries.filter(([name]) => name !== "places" && name !== "placeRule");
  for (const [places, message] of hostile) {
    const forged = places.map((place): [string, string] => ["places", place]);
    const refused = await visitor.post(sent.target.href, [...others, ...forged, ["placeRule", "any"]]);
    expect([places, refused.status]).toEqual([places, 422]);
    expect(refused.text).toContain(message);
    expect(refused.value("name")).toBe("Tried places");
    expect(refused.html).not.toContain("Foreign office");
  }
  const alone = await draft.submit("Create circle", { locationId: ended.locationId });
  expect(alone.errors("locationId")).toContain("This location was deleted. Choose another");
  const after = requireValue(await portal.backend.testRegistry.listCircles({ query: { apiId } }), "circles").items;
  expect(after).toHaveLength(before.length);
});

test("before a location is deleted its page names the circles of several places, and theirs says afterwards what to do", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Left");
  const { apiId, testIds } = await makeTests(portal.backend, targetApi);
  const [picked = ""] = Object.values(testIds);
  const create = await visitor.open(`/test-management/${apiId}/test-circles/create`);
  const draft = await create.submit("Add selected tests", {
    ...{ picked: [picked], name: "From two", locationId: "several", places: ["portal", locationId] },
  });
  const circle = await draft.submit("Create circle");
  expect(circle.text).not.toContain("was deleted");
  const asking = await (await visitor.open(getPage(locationId))).follow("Delete");
  expect(asking.text).toContain("1 circle (From two) continues from its other places.");
  await asking.submit("Delete location");
  const left = await visitor.open(circle.address);
  expect(left.text).toContain("1 location of this circle was deleted. Runs continue from the other place.");
  const edited = await left.follow("Choose its places");
  expect(edited.text).toContain("A deleted location");
  const mended = await edited.submit("Save", { locationId: "default", places: [] });
  expect(mended.text).toContain("From two is saved.");
  expect((await visitor.open(circle.address)).text).not.toContain("was deleted");
});

test("a run says where it is sent from, and what to do while no agent calls", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Silent");
  const { apiId, testIds } = await makeTests(portal.backend, targetApi);
  const [testId] = Object.values(testIds);
  const { testExecutioner } = portal.backend;
  const started = await testExecutioner.startRun({ query: {}, body: { source: { tests: [testId!] }, locationId } });
  const { id: runId } = requireValue(started, "a run");
  const run = await visitor.open(`/test-management/${apiId}/runs/${runId}`);
  expect(run.text).toContain(", from Silent office");
  expect(run.text).toContain("No agent of Silent office calls");
  expect(run.link("Silent office")).toBe(`${portalOrigin}${getPage(locationId)}`);
  const { members } = requireValue(await testExecutioner.getRun({ params: { runId }, query: {} }), "the run");
  const execution = `/test-management/${apiId}/tests/${testId}/executions/${members.items[0]!.executionId}/results`;
  expect((await visitor.open(execution)).text).toContain("Waiting for an agent of Silent office.");
  expect((await visitor.open(getPage(locationId))).text).toContain("1 test waits");

  requireValue(await testExecutioner.deleteLocation({ params: { locationId } }), "deleting");
  const ended = await visitor.open(execution);
  expect(ended.text).toContain("Not run: the location Silent office was deleted.");
  expect(ended.text).toContain("Choose another under “Runs from”");
});

test("viewers see locations and agents, and change none", async () => {
  const { locationId } = await furnishLocation(portal.backend, "Seen");
  const viewer = await joinAs(portal, "VIEWER");
  const page = await viewer.open(getPage(locationId));
  expect(page.rows("Seen host")).toHaveLength(1);
  expect(page.buttons()).not.toContain("Save");
  expect(page.html).not.toContain("add-agent");
  expect((await viewer.open(`${getPage(locationId)}/add-agent`)).status).toBe(403);
  expect((await viewer.post(getPage(locationId), { intent: "delete" })).status).toBe(403);
  expect((await visitor.open(getPage(locationId))).status).toBe(200);
});
