import { expect, type Page } from "@playwright/test";
import { exportFormats } from "#contracts/test-registry/test-exports.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { follow, tabTo } from "./keyboard.ts";
import { makeTests } from "./made-tests.ts";
import { signInToBackend } from "./portal-backend.ts";
import type { RunningPortal } from "./portal-process.ts";
import type { TargetApi } from "./target-api.ts";

/** What each format's names of files end with; a ZIP where it has several. */
const endings: Record<(typeof exportFormats)[number], RegExp> = {
  postman: /\.postman_collection\.json$/,
  bruno: /\.bruno\.zip$/,
  hurl: /\.hurl$|\.hurl\.zip$/,
  http: /\.http$/,
  k6: /\.k6\.js$/,
  arazzo: /\.arazzo\.yaml$/,
  curl: /\.sh$/,
  har: /\.har$/,
};

/** By keyboard alone: exports a circle in every format, and reads first what is lost. */
export async function exportCircle(page: Page, portal: RunningPortal, targetApi: TargetApi): Promise<void> {
  const backend = await signInToBackend(portal);
  const { apiId, testIds } = await makeTests(backend, targetApi);
  const members = Object.values(testIds).map((testId) => ({ testId }));
  const body = { name: "To take along", members };
  const { id } = requireValue(await backend.testRegistry.createCircle({ body }), "circle");
  await page.goto(`/test-management/${apiId}/test-circles/${id}`);
  await follow(page, "link", /^Export$/);
  await expect(page.getByRole("heading", { name: "Export To take along", level: 1 })).toBeVisible();
  for (const format of exportFormats) {
    const select = page.getByRole("combobox", { name: "Format" });
    await tabTo(page, "combobox", /^Format$/);
    await page.keyboard.type((await select.locator(`option[value=${format}]`).textContent())!);
    await expect(select).toHaveValue(format);
    await follow(page, "button", /^Show$/);
    await expect(page).toHaveURL(new RegExp(`[?&]format=${format}`));
    await expect(page.getByRole("table").or(page.getByText("Everything is carried over"))).toBeVisible();
    const arriving = page.waitForEvent("download");
    await follow(page, "link", /^Download /);
    const download = await arriving;
    expect(download.suggestedFilename()).toMatch(endings[format]);
    expect(await download.failure()).toBeNull();
  }
}
