import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { requireValue } from "../../services/kit/client/client.ts";
import { field, newTestAddress, openNewTest, press, untilAlive } from "../support/editor-page.ts";
import { registerApi, signInToBackend } from "../support/portal-backend.ts";
import { becomeSignedIn, expect, expectAccessible, holdIslands, test } from "../support/portal-test.ts";

const getBook = { method: "get", path: "/books/{bookId}" };

test("a new test starts from a valid call; a value of the response becomes an assertion", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const backend = await signInToBackend(portal);
  const apiId = await registerApi(backend, targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await untilAlive(page);
  await expect(page.getByText("A valid call, made from the document")).toBeVisible();
  await expect(field(page, "request.pathParameters[0].value")).toHaveValue("1");

  await press(page, "Send");
  await expect(page.getByRole("status").filter({ hasText: "Response 200 OK" })).toBeAttached();
  await press(page, "Assert: JSONPath $.title equals The Dispossessed");
  await expect(page.getByRole("status").filter({ hasText: "Assertion added" })).toBeAttached();
  await expect(page.getByRole("textbox", { name: "assertion 2 JSONPath" })).toHaveValue("$.title");

  await page.getByRole("textbox", { name: "Name", exact: true }).fill("The title stays");
  await press(page, "Save and run");
  await expect(page).toHaveURL(/\/runs\/[^/]+$/);

  const { items } = requireValue(await backend.testRegistry.listTests({ params: { apiId } }), "listing tests");
  expect(items.map(({ name }) => name)).toEqual(["The title stays"]);
  expect(items[0]?.assertions.at(-1)).toEqual({
    source: "jsonPath",
    property: "$.title",
    comparison: "equals",
    target: "The Dispossessed",
  });
});

test("the editor arrives in at most eight requests", async ({ ownTab: page, portal, targetApi }) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await page.context().addCookies([{ name: "cookiesAccepted", value: "Y", url: portal.origin }]);
  await becomeSignedIn(page, portal);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(newTestAddress(apiId, getBook), { waitUntil: "networkidle" });
  await untilAlive(page);
  expect(requested.length, requested.join("\n")).toBeLessThanOrEqual(8);
});

test("rows are added and removed without a reload, with the focus kept and an announcement", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await untilAlive(page);
  await press(page, "Add query parameter");
  await expect(field(page, "request.query[0].name")).toBeFocused();
  await page.keyboard.type("first");
  await press(page, "Add query parameter");
  await expect(field(page, "request.query[1].name")).toBeFocused();
  await page.keyboard.type("second");
  await page.getByRole("button", { name: "Remove query parameter" }).first().click();
  await expect(field(page, "request.query[0].name")).toHaveValue("second");
  await expect(field(page, "request.query[0].name")).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "Row removed" })).toBeAttached();
});

test("Ctrl+Enter sends and Ctrl+S saves from any field", async ({ signedIn: page, portal, targetApi }) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await untilAlive(page);
  await field(page, "request.pathParameters[0].value").focus();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByRole("status").filter({ hasText: "Response 200 OK" })).toBeAttached();
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page).toHaveURL(/\/edit$/);
});

test("unsaved input is not lost by accident", async ({ signedIn: page, portal, targetApi }) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await untilAlive(page);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Half done");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("Leave without saving?");
  await press(page, "Keep editing");
  await expect(page.getByRole("link", { name: "Cancel" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Half done");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Leave without saving" }).click();
  await expect(page).toHaveURL(new RegExp(`/${apiId}/tests$`));
});

test("input typed before the editor's script loaded is kept, sent, and not lost by accident either", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  const releaseIslands = await holdIslands(page);
  await openNewTest(page, apiId, { method: "post", path: "/books" });
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Typed early");
  await page.getByRole("heading", { name: "Base URL" }).click();
  await field(page, "request.baseUrl").fill(`${targetApi.origin}/early`);
  await field(page, "assertions[0].comparison").selectOption("notEquals");
  await page.locator("#authorization").getByRole("radio", { name: "None" }).check();
  const body = field(page, "request.body.json");
  await body.fill('{"pages": 7');
  const cancel = page.getByRole("link", { name: "Cancel" });
  const placeOfCancel = () => cancel.evaluate((link) => link.getBoundingClientRect().left);
  const index = await placeOfCancel();
  releaseIslands();
  // It has been replaced by an editor, in which the caret was.
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.keyboard.type("1}");
  await expect(body).toHaveValue('{"pages": 71}');
  await expect(name).toHaveValue("Typed early");
  await expect(field(page, "assertions[0].comparison")).toHaveValue("notEquals");
  await expect(page.locator("#authorization summary")).toContainText("None");
  await expect(page.getByText(`${targetApi.origin}/early/books`)).toBeVisible();
  await expect(page.getByText("Ctrl+S saves")).toBeVisible();
  expect(await placeOfCancel()).toBe(index);
  await cancel.click();
  await expect(page.getByRole("alertdialog")).toContainText("Leave without saving?");
});

test("a page that arrives in pieces, as over a slow line, shows every row", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  const reply = await page.request.get(newTestAddress(apiId, { method: "post", path: "/books" }));
  const html = await reply.text();
  const firstPiece = html.indexOf("<option", html.indexOf('name="assertions[0].comparison"'));
  const line = createServer(async ({ url }, response) => {
    // The face of the page.
    if (url !== "/") return void response.writeHead(404).end();
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.write(html.slice(0, firstPiece));
    await once(line, "go on");
    response.end(html.slice(firstPiece));
  });
  await once(line.listen(0, "127.0.0.1"), "listening");
  await page.goto(`http://127.0.0.1:${(line.address() as AddressInfo).port}`, { waitUntil: "commit" });
  const comparison = field(page, "assertions[0].comparison");
  await expect(comparison).toBeVisible();
  line.emit("go on");
  await page.waitForLoadState();
  await expect(comparison).toBeVisible();
  line.closeAllConnections();
  line.close();
});

test("the JSON editor completes and validates by the operation's schema, and does not trap the Tab key", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await openNewTest(page, apiId, { method: "post", path: "/books" });
  const editor = page.locator(".cm-content");
  await expect(editor).toHaveAccessibleName("JSON");
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type('{"title": 3, "p');
  const pages = page.getByRole("option", { name: /pages/ });
  // Picked at a moment when the list does not reflect the latest input yet.
  await pages.hover();
  await page.keyboard.type("a");
  await page.mouse.down();
  await page.mouse.up();
  await page.keyboard.type("1");
  await expect(field(page, "request.body.json")).toHaveValue('{"title": 3, "pages": 1}');
  // The previous diagnostics may still be displayed, and a hovered one until the pointer moves.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await page.locator(".cm-lintRange").first().hover({ timeout: 2_000 });
    const tooltip = page.locator(".cm-tooltip-lint");
    await expect(tooltip).toContainText("Expected string, not number", { timeout: 2_000 });
  }).toPass();
  await editor.press("Tab");
  await expect(field(page, "request.body.jsonMediaType")).toBeFocused();
});

test("axe finds nothing on the editor, its results and the lists", async ({ signedIn: page, portal, targetApi }) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await page.goto("/test-management/select-api");
  await expectAccessible(page);
  await openNewTest(page, apiId, { method: "post", path: "/books" });
  await expect(page.locator(".cm-content")).toBeVisible();
  await page.getByRole("radio", { name: "None", description: "No credentials are sent." }).check();
  await press(page, "Send");
  await expect(page.getByRole("status").filter({ hasText: "Response 401" })).toBeAttached();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("");
  await press(page, "Save");
  await expect(page.getByRole("alert")).toContainText("Give the test a name");
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Add a book");
  await press(page, "Save");
  await page.goto(`/test-management/${apiId}/tests`);
  await expectAccessible(page);
});
