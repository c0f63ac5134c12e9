import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "../support/portal-test.ts";

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "no-preference" }));

/** Creating a credential leads to the list, with a toast. */
async function storeCredential(page: Page, name: string) {
  await page.goto("/administration/credentials/create");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Bearer").check();
  await page.getByLabel("Domain").fill("api.test");
  await page.locator("[name=secret]").fill("s3cret");
  await page.getByRole("button", { name: "Create credential" }).click();
  const toast = page.getByRole("status").filter({ hasText: name });
  await expect(toast).toBeVisible();
  return toast;
}

/** The animation that removes a toast without script. */
function leaving(toast: Locator) {
  return toast.evaluate((element) => {
    const last = element.getAnimations().at(-1);
    return { afterMilliseconds: Number(last?.effect?.getTiming().delay), state: last?.playState };
  });
}

/** Advances past the display time of a toast. */
function passTime(toast: Locator) {
  return toast.evaluate((element) => {
    for (const animation of element.getAnimations()) animation.finish();
  });
}

test("a toast is at the top right, says just now, can be closed and disappears after five seconds", async ({
  signedIn,
}) => {
  const toast = await storeCredential(signedIn, "Goes by itself");
  // It stays as long as it is hovered: the checks may take longer than it is displayed.
  await toast.hover();
  await expect(toast.getByText("just now")).toBeVisible();
  await expectAccessible(signedIn);
  const box = (await toast.boundingBox())!;
  const { width } = signedIn.viewportSize()!;
  expect(box.x + box.width).toBeGreaterThan(width - 40);
  expect(box.y).toBeLessThan(80);
  await signedIn.mouse.move(0, 400);
  expect(await leaving(toast)).toEqual({ afterMilliseconds: 5_000, state: "running" });
  await passTime(toast);
  await expect(toast).toBeHidden();
  const closed = await storeCredential(signedIn, "Is closed");
  await closed.getByRole("button", { name: "Close" }).click();
  await expect(closed.getByText("Is closed")).toBeHidden();
});

test("a toast that is hovered or has the focus remains", async ({ signedIn }) => {
  const hovered = await storeCredential(signedIn, "Is read");
  await hovered.hover();
  expect(await leaving(hovered)).toMatchObject({ state: "paused" });
  await signedIn.mouse.move(0, 400);
  expect(await leaving(hovered)).toMatchObject({ state: "running" });
  const focused = await storeCredential(signedIn, "Holds the focus");
  await focused.getByRole("button", { name: "Close" }).focus();
  expect(await leaving(focused)).toMatchObject({ state: "paused" });
  await signedIn.keyboard.press("Enter");
  await expect(focused.getByText("Holds the focus")).toBeHidden();
});

test("the text of a toast is added to its live region after the page, so that it is read out", async ({
  ownTab,
  portal,
}) => {
  await signIn(ownTab, portal);
  await ownTab.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const region = target as Element;
        if (region.getAttribute("role") === "status" && document.readyState !== "loading") {
          for (const node of addedNodes) said.push(node.textContent ?? "");
        }
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await storeCredential(ownTab, "Is read out");
  await expect
    .poll(() => ownTab.evaluate(() => (window as unknown as { said: string[] }).said.join()))
    .toContain("Is read out");
});
