import { field, openNewTest, press } from "../support/editor-page.ts";
import { registerApi, signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";

const getBook = { method: "get", path: "/books/{bookId}" };

test("rows are added and removed by the server, which keeps the input and the scroll position", async ({
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

test("a form that can't be saved says why, at the field and in the summary, and keeps everything", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const apiId = await registerApi(await signInToBackend(portal), targetApi.documentUrl);
  await openNewTest(page, apiId, getBook);
  await press(page, "Add header");
  await field(page, "request.headers[1].name").fill("Not a token");
  await page.getByText("Retries, time-out and location").click();
  await field(page, "timeoutMilliseconds").fill("soon");
  await press(page, "Save");
  await expect(page.getByRole("alert")).toBeFocused();
  await page.getByRole("link", { name: "Write the time-out as a whole number" }).click();
  await expect(field(page, "timeoutMilliseconds")).toBeFocused();
  await field(page, "timeoutMilliseconds").fill("5000");
  await press(page, "Save");
  // Only the service knows which header names are valid; its error is assigned to the field nevertheless.
  await page.getByRole("link", { name: /A header name has letters/ }).click();
  await expect(field(page, "request.headers[1].name")).toHaveValue("Not a token");
  await expect(field(page, "request.headers[1].name")).toHaveAttribute("aria-invalid", "true");
});
