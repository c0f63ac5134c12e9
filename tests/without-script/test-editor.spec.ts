import { requireAnswer } from "../../services/kit/client/client.ts";
import { field, openNewTest, press } from "../support/editor-page.ts";
import { registerApi, signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";
import { untilEnded } from "../support/run-life.ts";

const getBook = { method: "get", path: "/books/{bookId}" };

test("rows are added and removed by the server, which keeps what was typed and the reader's place", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await field(page, "name").fill("Typed before");
  await press(page, "Add query parameter");
  await expect(field(page, "request.query[0].name")).toBeFocused();
  await field(page, "request.query[0].name").fill("first");
  await press(page, "Add query parameter");
  await field(page, "request.query[1].name").fill("second");
  await field(page, "request.query[1].enabled").uncheck();
  await press(page, "Add assertion");
  await page.getByRole("button", { name: "Remove query parameter" }).first().click();
  await expect(field(page, "request.query[0].name")).toHaveValue("second");
  await expect(field(page, "request.query[0].enabled")).not.toBeChecked();
  await expect(field(page, "name")).toHaveValue("Typed before");
});

test("a form that can't be saved says why, beside the field and above, and keeps everything", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await press(page, "Add header");
  await field(page, "request.headers[1].name").fill("Not a token");
  await field(page, "timeoutMilliseconds").fill("soon");
  await press(page, "Save");
  await expect(page.getByRole("alert")).toBeFocused();
  await page.getByRole("link", { name: "Write the time-out as a whole number" }).click();
  await expect(field(page, "timeoutMilliseconds")).toBeFocused();
  await field(page, "timeoutMilliseconds").fill("5000");
  await press(page, "Save");
  // Only the service knows what a header may be called; its answer finds the field all the same.
  await page.getByRole("link", { name: /A header name has letters/ }).click();
  await expect(field(page, "request.headers[1].name")).toHaveValue("Not a token");
  await expect(field(page, "request.headers[1].name")).toHaveAttribute("aria-invalid", "true");
});

test("sending shows the response below and keeps the form; its values become assertions", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await field(page, "name").fill("Unsaved");
  await press(page, "Send");
  await expect(page.getByText("200 OK")).toBeVisible();
  await expect(field(page, "name")).toHaveValue("Unsaved");
  await press(page, "Assert: JSONPath $.pages equals 387");
  await expect(field(page, "assertions[1].property")).toHaveValue("$.pages");
  await expect(page.getByText("200 OK")).toBeVisible();
});

test("a body that is no JSON is said and sent all the same", async ({ signedIn: page, portal, targetApi }) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await openNewTest(page, apiId, { method: "post", path: "/books" });
  await field(page, "request.body.json").fill('{"title": ');
  await press(page, "Send");
  await expect(page.getByText("This is not JSON (line 1, column 11: a value is missing)")).toBeVisible();
  expect(targetApi.requests.at(-1)?.body).toBe('{"title": ');
  await press(page, "Save");
  await expect(page).toHaveURL(/\/edit$/);
  await expect(page.getByText("This is not JSON")).toBeVisible();
});

test("when somebody else saved first, the input stays and both ways are open", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const backend = await signInToBackend(portal);
  const apiId = await registerApi(backend, targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await press(page, "Save");
  await expect(page).toHaveURL(/\/edit$/);
  const testId = /tests\/([^/]+)\/edit/.exec(page.url())![1]!;
  const mine = requireAnswer(await backend.testRegistry.getTest({ params: { testId } }), "reading the test");
  await backend.testRegistry.changeTest({ params: { testId }, body: { ...mine, name: "Theirs", tags: ["theirs"] } });

  await field(page, "name").fill("Mine");
  await press(page, "Save");
  await expect(page.getByRole("alert")).toContainText("Somebody else saved this test while you were editing");
  await expect(page.getByRole("alert")).toContainText("It differs from yours in: name, tags.");
  await expect(field(page, "name")).toHaveValue("Mine");
  await press(page, "Save mine over theirs");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mine");
  const stored = requireAnswer(await backend.testRegistry.getTest({ params: { testId } }), "reading the test");
  expect(stored).toMatchObject({ name: "Mine", tags: [], version: 3 });
});

test("deleting asks first, and cancelling keeps what was typed", async ({ signedIn: page, portal, targetApi }) => {
  const backend = await signInToBackend(portal);
  const apiId = await registerApi(backend, targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await press(page, "Save");
  await expect(page).toHaveURL(/\/edit$/);
  await field(page, "name").fill("Half renamed");
  await press(page, "Delete");
  await press(page, "Cancel");
  await expect(field(page, "name")).toHaveValue("Half renamed");
  await press(page, "Delete");
  await press(page, "Delete test");
  await expect(page).toHaveURL(new RegExp(`/${apiId}/tests$`));
  await expect(page.getByText("No tests yet")).toBeVisible();
});

test("the list runs, duplicates, disables, filters and deletes without script", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  for (const path of ["/books", "/books/{bookId}"]) {
    await openNewTest(page, apiId, { method: "get", path });
    await press(page, "Save");
    await expect(page).toHaveURL(/\/edit$/);
  }
  await page.goto(`/test-management/${apiId}/tests`);
  await press(page, "Run all");
  await untilEnded(page, true);
  await page.goto(`/test-management/${apiId}/tests`);
  await press(page, "Run Get one book");
  await untilEnded(page, true);
  await page.goto(`/test-management/${apiId}/tests`);
  await expect(page.getByRole("row", { name: /Get one book/ })).toContainText("Passed");
  const more = page.getByRole("row", { name: /Get one book/ }).locator("summary");
  await more.click();
  await press(page, "Duplicate");
  await expect(page.getByRole("row", { name: /Get one book \(copy\)/ })).toContainText("Not run");
  await page
    .getByRole("row", { name: /Get one book \(copy\)/ })
    .locator("summary")
    .click();
  await press(page, "Disable");
  await page.getByLabel("State").selectOption("false");
  await press(page, "Filter");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("row", { name: /copy/ }).locator("summary").click();
  await page.getByRole("link", { name: "Delete" }).click();
  await press(page, "Delete test");
  await expect(page.getByText("No test fits")).toBeVisible();
});
