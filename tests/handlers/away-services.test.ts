import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type FailingService, startFailingService } from "../support/failing-service.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { registerApi } from "../support/portal-backend.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let failing: FailingService;
let targetApi: TargetApi;
const portals: HandledPortal[] = [];
const worlds = new Map<string, Promise<World>>();

beforeAll(async () => {
  [failing, targetApi] = await Promise.all([startFailingService(), startTargetApi()]);
  failing.respondWith(0);
});
afterAll(async () => {
  await Promise.all(portals.map((portal) => portal.stop()));
  await Promise.all([failing.stop(), targetApi.stop()]);
});

interface World {
  /** Opens an address; `{api}` and `{test}` in it are replaced by ids. */
  open: Visitor["open"];
}

function openWithout(variable: string): Promise<World> {
  const opened = worlds.get(variable) ?? makeWithout(variable);
  worlds.set(variable, opened);
  return opened;
}

/**
 * A portal with one failing remote service, with an API and, where tests are available, a test. Without
 * plans it is not known yet whether an API is allowed.
 */
async function makeWithout(variable: string): Promise<World> {
  const portal = await openHandledPortal({ [variable]: failing.origin });
  portals.push(portal);
  const visitor = await portal.signIn();
  if (variable === "PORTAL_SERVICE_URL") return { open: visitor.open };
  const apiId = await registerApi(portal.backend, targetApi.documentUrl);
  const requested = { name: "Lists books", method: "get", path: "/books", request: {} };
  const body = { ...requested, checks: ["not_a_server_error" as const] };
  const created =
    variable !== "TEST_REGISTRY_URL" && (await portal.backend.testRegistry.createTest({ params: { apiId }, body }));
  const testId = created ? requireValue(created, "create").id : "";
  return { open: (address) => visitor.open(address.replace("{api}", apiId).replace("{test}", testId)) };
}

const leftOut = "Some data is unavailable";

test("pages name missing test results once, and show no figure for unknown values", async () => {
  const { open } = await openWithout("TEST_EXECUTIONER_URL");
  const lacking = ["/dashboard", "/api-management/list", "/test-management/select-api"];
  for (const address of [...lacking, "/test-management/{api}/tests", "/test-management/{api}/tests/{test}/edit"]) {
    const page = await open(address);
    expect([address, page.status]).toEqual([address, 200]);
    expect(page.text.split("est results are not available right now")).toHaveLength(2);
    expect(page.text).toContain(leftOut);
  }
  for (const address of lacking) expect((await open(address)).rows("Bookshop")[0]).toMatch(/Unknown.*unknown/);
  expect((await open("/dashboard")).text).not.toContain("Run your tests");
  for (const whole of ["/profile", "/administration/credentials", "/test-management/incidents"]) {
    expect((await open(whole)).text).not.toContain("not available right now");
  }
});

test("a failing service is reported like an unavailable one", async () => {
  const { open } = await openWithout("TEST_EXECUTIONER_URL");
  failing.respondWith(500);
  const list = await open("/api-management/list");
  failing.respondWith(0);
  expect(list.text).toMatch(/Test results(, verifications, and trends)? are not available right now/);
});

test("pages name missing tests", async () => {
  const { open } = await openWithout("TEST_REGISTRY_URL");
  for (const address of ["/dashboard", "/api-management/list", "/api-management/{api}/details"]) {
    const page = await open(address);
    expect(page.text).toContain("Tests are not available right now");
    expect(page.text).toContain("unknown");
  }
});

test("pages name missing plans and messages", async () => {
  const { open } = await openWithout("PORTAL_SERVICE_URL");
  for (const address of ["/profile", "/dashboard"]) {
    expect((await open(address)).text).toContain("Plans and messages are not available right now");
  }
});

test("without the analyzer a test starts empty and is not judged, and both are reported", async () => {
  const { open } = await openWithout("TEST_ANALYZER_URL");
  const away = "Verifications and trends are not available right now";
  expect((await open("/dashboard")).text).toContain(away);
  expect((await open("/test-management/{api}/tests/create/%2Fbooks/get")).text).toContain(
    `${away}, so this starts empty.`,
  );
  const sent = await (await open("/test-management/{api}/tests/{test}/edit")).submit("Send");
  expect(sent.text).toContain("200 OK");
  expect(sent.text).toContain(`${away}Assertions and checks were not evaluated`);
});

test("a page whose main part is missing has that as its heading, and names it nowhere else", async () => {
  const { open } = await openWithout("TEST_ANALYZER_URL");
  const matrix = await open("/test-management/{api}/manage");
  expect([matrix.status, matrix.heading]).toEqual([503, "Verifications and trends are not available right now"]);
  expect(matrix.text).not.toContain(leftOut);
});
