import { requireValue } from "../../services/kit/client/client.ts";
import { registerApi, signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";

test("a test on the third page of a long list runs after few stops by keyboard", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const backend = await signInToBackend(portal);
  const apiId = await registerApi(backend, targetApi.openDocumentUrl);
  const one = { method: "get", path: "/books", request: {}, checks: ["not_a_server_error" as const] };
  const tests = Array.from({ length: 60 }, (_, index) => ({ ...one, name: `Long list ${100 + index}` }));
  requireValue(await backend.testRegistry.createTests({ params: { apiId }, body: { items: tests } }), "creating tests");
  let stops = 0;
  const press = async (key: string) => {
    stops += 1;
    await page.keyboard.press(key);
  };
  /** Of the list's own controls, from its first sort link on. */
  const toNextPage = async () => {
    await page.getByRole("link", { name: /^Skip \d+ rows$/ }).focus();
    await press("Enter");
    await press("Tab");
    if ((await page.locator(":focus").innerText()) === "First") await press("Tab");
    await expect(page.getByRole("link", { name: "Next" })).toBeFocused();
    const before = page.url();
    await press("Enter");
    await page.waitForURL((url) => url.href !== before);
  };
  await page.goto(`/test-management/${apiId}/tests`);
  await toNextPage();
  await toNextPage();
  await expect(page.getByRole("link", { name: "Long list 150" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Select Long list 150" }).focus();
  for (let tabs = 0; tabs < 10; tabs += 1) {
    if (await page.getByRole("button", { name: "Run Long list 150" }).evaluate((one) => one === document.activeElement))
      break;
    await press("Tab");
  }
  await press("Enter");
  await expect(page).toHaveURL(/\/runs\//);
  expect(stops).toBeLessThanOrEqual(15);
});

test("all tests of a page are ticked at once, a range with Shift, and the actions appear then", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const backend = await signInToBackend(portal);
  const apiId = await registerApi(backend, targetApi.openDocumentUrl);
  const one = { method: "get", path: "/books", request: {}, checks: ["not_a_server_error" as const] };
  const tests = Array.from({ length: 6 }, (_, index) => ({ ...one, name: `Ticked ${index}` }));
  requireValue(await backend.testRegistry.createTests({ params: { apiId }, body: { items: tests } }), "creating tests");
  await page.goto(`/test-management/${apiId}/tests?query=Ticked`);
  const run = page.getByRole("button", { name: "Run selected" });
  await expect(run).toBeHidden();
  await page.getByRole("checkbox", { name: "Select Ticked 1" }).click();
  await page.getByRole("checkbox", { name: "Select Ticked 4" }).click({ modifiers: ["Shift"] });
  await expect(page.getByText("4 tests selected")).toBeVisible();
  await expect(run).toBeVisible();
  await page.getByRole("checkbox", { name: /^All/ }).click();
  await expect(page.getByText("6 tests selected")).toBeVisible();
  await page.getByRole("checkbox", { name: /^All/ }).click();
  await expect(run).toBeHidden();
});

test("circles and runs are ticked as tests are, and are run and cancelled together", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const backend = await signInToBackend(portal);
  const apiId = await registerApi(backend, targetApi.openDocumentUrl);
  const body = { name: "Lists", method: "get", path: "/books", checks: ["not_a_server_error" as const] };
  const { id: testId } = requireValue(
    await backend.testRegistry.createTest({ params: { apiId }, body: { ...body, request: {} } }),
    "creating a test",
  );
  for (const name of ["Ring 1", "Ring 2", "Ring 3"]) {
    requireValue(
      await backend.testRegistry.createCircle({ body: { name, members: [{ testId }] } }),
      "creating a circle",
    );
  }
  await page.goto(`/test-management/${apiId}/test-circles/list`);
  const run = page.getByRole("button", { name: "Run selected" });
  await expect(run).toBeHidden();
  await page.getByRole("checkbox", { name: "Select Ring 1" }).focus();
  await page.keyboard.press("Space");
  await page.getByRole("checkbox", { name: "Select Ring 3" }).click({ modifiers: ["Shift"] });
  await expect(page.getByText("3 circles selected")).toBeVisible();
  await run.press("Enter");
  await expect(page.getByText("3 circles started.")).toBeVisible();
  await page.goto(`/test-management/${apiId}/runs`);
  await page.getByRole("checkbox", { name: /^All/ }).check();
  await expect(page.getByText("3 runs selected")).toBeVisible();
  await page.getByRole("button", { name: "Cancel selected" }).click();
  await expect(page.getByText(/run(s)? cancelled|had ended before/)).toBeVisible();
});
