import type { Page } from "@playwright/test";
import { becomeSignedIn, expect, test } from "../support/portal-test.ts";

const sheets = (page: Page) => page.locator("head link[rel=stylesheet]");

/** The page as rendered, and the files that were requested until it was loaded. */
async function visit(page: Page, address: string) {
  const requested: string[] = [];
  const note = (request: { url(): string }) => requested.push(new URL(request.url()).pathname);
  page.on("request", note);
  await page.goto(address, { waitUntil: "networkidle" });
  page.off("request", note);
  return {
    asked: requested,
    picture: await page.screenshot({ animations: "disabled", caret: "hide", fullPage: true }),
  };
}

test("a first page is complete in one response, the next ones use the style sheet it fetched, and both look the same", async ({
  ownTab,
  portal,
}) => {
  const page = ownTab;
  const stranger = await visit(page, "/login");
  expect(stranger.asked.filter((path) => path.endsWith(".css"))).toEqual([]);
  expect(stranger.asked.length).toBeLessThanOrEqual(5);
  await expect(sheets(page)).toHaveCount(0);

  await page.context().addCookies([{ name: "cookiesAccepted", value: "Y", url: portal.origin }]);
  await becomeSignedIn(page, portal);
  for (const address of ["/api-management/register", "/administration/credentials/create", "/profile/password"]) {
    await page.context().clearCookies({ name: "styles" });
    const first = await visit(page, address);
    await expect(sheets(page)).toHaveCount(0);
    const next = await visit(page, address);
    await expect(sheets(page)).toHaveCount(1);
    expect(next.picture.equals(first.picture)).toBe(true);
  }
});
