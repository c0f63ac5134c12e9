import { makeTests } from "../support/made-tests.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";

test("a circle's tests are moved by drag and by keyboard, and saved in the displayed order", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  const { apiId, testIds, backend } = await makeTests(await signInToBackend(portal), targetApi, 1);
  const members = ["Lists books", "Wants the impossible", "Waits 1"].map((name) => ({ testId: testIds[name]! }));
  const made = await backend.testRegistry.createCircle({ body: { name: "Moved", members: members as never } });
  if (!made.ok) throw new Error(made.problem.detail);
  const { id } = made.value;
  await page.goto(`/test-management/${apiId}/test-circles/${id}/edit`);
  const rows = page.locator("li[data-member]");
  const order = () => rows.evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.member));

  await rows.nth(2).locator("[data-handle]").dragTo(rows.nth(0));
  expect(await order()).toEqual(["Waits 1", "Lists books", "Wants the impossible"]);
  await expect(page.getByRole("status").filter({ hasText: "Waits 1 is now 1 of 3" })).toBeAttached();

  const down = page.getByRole("button", { name: "Move Lists books down" });
  await down.focus();
  await page.keyboard.press("Enter");
  expect(await order()).toEqual(["Waits 1", "Wants the impossible", "Lists books"]);
  // It is the last now: the button to move it back has the focus.
  await expect(page.getByRole("button", { name: "Move Lists books up" })).toBeFocused();

  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Moved is saved.")).toBeVisible();
  const saved = await backend.testRegistry.getCircle({ params: { testCircleId: id } });
  expect(saved.ok && saved.value.members).toMatchObject([members[2], members[1], members[0]]);
});
