import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type FailingService, startFailingService } from "../support/failing-service.ts";
import { joinAs, newcomer } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { registerApi } from "../support/portal-backend.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

let portal: HandledPortal;
let targetApi: TargetApi;
let failing: FailingService;
let visitor: Visitor;
let apiId: string;
let testId: string;
const checks = ["not_a_server_error" as const];

beforeAll(async () => {
  [portal, targetApi, failing] = await Promise.all([openHandledPortal(), startTargetApi(), startFailingService()]);
  failing.respondWith(0);
  visitor = await portal.signIn();
  ({ apiId, testId } = await fill(portal));
});
afterAll(async () => {
  await portal.stop();
  await Promise.all([targetApi.stop(), failing.stop()]);
});

async function fill({ backend }: HandledPortal) {
  const apiId = await registerApi(backend, targetApi.documentUrl);
  const test = (name: string, path: string) =>
    backend.testRegistry.createTest({ params: { apiId }, body: { name, method: "get", path, request: {}, checks } });
  const created = requireValue(await test("Price of a book", "/books"), "a test");
  for (let number = 1; number <= 6; number++) await test(`Shelf ${number}`, "/books");
  return { apiId, testId: created.id };
}

test("a search lists what it finds by kind, each result with where it is, and leads to it", async () => {
  const page = await visitor.open("/search?query=price");
  expect([page.status, page.heading, page.value("query")]).toEqual([200, "Search: price", "price"]);
  expect(page.text).toMatch(/Tests.*Price of a book.*Not run.*Operations.*GET \/books\/\{bookId\}\/price/s);
  expect((await page.follow("Price of a book")).heading).toContain("Price of a book");
  expect((await page.follow("GET /books/{bookId}/price")).address).toContain(
    `/api-management/${apiId}/swagger/operation`,
  );
});

test("APIs have their state, and runs are found by their circle or test, and by verdict", async () => {
  const body = { name: "Nightly books", members: [{ kind: "test" as const, testId }] };
  requireValue(await portal.backend.testRegistry.createCircle({ body }), "circle");
  expect((await visitor.open("/search?query=bookshop")).text).toMatch(/Bookshop.*Not run/s);
  const circle = await visitor.open("/search?query=nightly");
  expect((await circle.follow("Runs of Nightly books")).heading).toContain("Nightly books");
  const failed = await visitor.open("/search?query=price+failed");
  expect(failed.text).toContain("Only those with the verdict “Failed”");
  expect((await failed.follow("Executions of Price of a book")).address).toMatch(/executions\/list\?verdict=failed$/);
});

test("more than five of a kind are listed on a page of their own", async () => {
  const page = await visitor.open("/search?query=shelf");
  expect(page.text).not.toContain("Shelf 6");
  const all = await page.follow("All 6 tests");
  expect([all.address, all.text.includes("Shelf 6")]).toEqual(["/search?query=shelf&kind=tests", true]);
});

test("pages of the product and sections of the documentation are found, too", async () => {
  const page = await visitor.open("/search?query=quiet%20hours");
  expect(page.text).toMatch(/Pages.*Alert rules.*Documentation.*Incidents and alerts: Alert rules/s);
});

test("nothing typed says what can be searched and which keys there are; nothing found says what to try", async () => {
  const empty = await visitor.open("/search");
  expect(empty.text).toMatch(/APIs, operations, tests, circles.*Show these keys/s);
  expect((await visitor.open("/search?query=xyzzy")).text).toContain("Nothing matches");
  const literal = await visitor.open("/search?query=%25&kind=nonsense");
  expect([literal.heading, literal.text.includes("Shelf 1")]).toEqual(["Search: %", false]);
  expect((await visitor.open("/search?query=a%00b")).status).toBe(200);
});

test("a whole id leads to its page", async () => {
  const page = await visitor.open(`/search?query=${testId.toUpperCase()}`);
  expect(page.address).toBe(`/test-management/${apiId}/tests/${testId}/edit`);
  expect((await visitor.open(`/search?query=${apiId}`)).address).toBe(`/api-management/${apiId}/details`);
  expect((await visitor.open("/search?query=01900000-0000-7000-8000-000000000000")).text).toContain("Nothing matches");
});

test("people are found by those who may manage users only, and pages by those who may see them", async () => {
  const person = newcomer();
  const viewer = await joinAs(portal, "VIEWER", person);
  expect((await visitor.open(`/search?query=${person.username}`)).text).toMatch(/People.*Ada Lovelace/s);
  expect((await viewer.open(`/search?query=${person.username}`)).text).toContain("Nothing matches");
  expect((await viewer.open("/search?query=invite")).text).not.toContain("Invite people");
  expect((await viewer.open("/search?query=price")).text).toContain("Price of a book");
});

test("the options of the dialog are the same results as markup, for viewers who are signed in", async () => {
  const { html } = await visitor.open("/search/suggestions?query=price");
  expect(html).toContain("Price of a book");
  expect(html).toMatch(/<a[^>]*role="option"[^>]*href="\/test-management/);
  expect(html).toMatch(/data-says="\d+ results\."/);
  expect((await visitor.open("/search/suggestions?keys")).html).toContain("Go to circles");
  expect((await portal.visit().open("/search/suggestions?query=price")).address).toContain("/login");
});

test("without tests, the other kinds are found and the page says what is missing", async () => {
  const other = await openHandledPortal({ TEST_REGISTRY_URL: failing.origin });
  try {
    await registerApi(other.backend, targetApi.documentUrl);
    const page = await (await other.signIn()).open("/search?query=price");
    expect(page.text).toMatch(/Tests are not available right now.*Operations.*GET \/books/s);
    const { html } = await (await other.signIn()).open("/search/suggestions?query=price");
    expect(html).toContain("Tests are not available right now. Try again shortly.");
  } finally {
    await other.stop();
  }
});

test("single-character keys can be switched off and on in the browser", async () => {
  const display = await visitor.open("/profile/display");
  expect(display.html).toContain('data-keys="/?g"');
  const off = await display.submit("Save keys", { singleKeys: "off" });
  expect([off.value("singleKeys"), off.html.includes('data-keys=""')]).toEqual(["off", true]);
  expect((await off.submit("Save keys", { singleKeys: "on" })).html).toContain('data-keys="/?g"');
  const refused = await visitor.post("/profile/display", { intent: "keys", singleKeys: "maybe" });
  expect([refused.status, refused.text.includes("Choose on or off")]).toEqual([422, true]);
});
