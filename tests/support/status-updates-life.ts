import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { requireValue } from "../../services/kit/client/client.ts";
import { follow, typeInto } from "./keyboard.ts";
import { makeTests } from "./made-tests.ts";
import { mailedLink } from "./mailed.ts";
import { signInToBackend } from "./portal-backend.ts";
import type { RunningPortal } from "./portal-process.ts";
import type { TargetApi } from "./target-api.ts";

/** By keyboard alone: a visitor gets a status page's updates by email, confirms them, and ends them again. */
export async function followStatusByMail(page: Page, portal: RunningPortal, targetApi: TargetApi): Promise<void> {
  const backend = await signInToBackend(portal);
  const { testIds } = await makeTests(backend, targetApi);
  const created = await backend.testRegistry.createCircle({
    body: { name: "Shop", members: [{ testId: Object.values(testIds)[0]! }] },
  });
  const params = { testCircleId: requireValue(created, "circle").id };
  const name = `shop-${randomUUID().slice(0, 8)}`;
  const reader = `${name}@example.com`;
  const settings = { title: "Bookshop status", name };
  requireValue(await backend.testAnalyzer.setStatusPage({ params, body: settings }), "status page");

  await page.goto(`/status/${name}`);
  await follow(page, "link", /^by email$/);
  await typeInto(page, /^Email address/, "nowhere");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  await typeInto(page, /^Email address/, reader);
  await follow(page, "button", /^Send the link$/);
  await expect(page.getByRole("heading", { name: "Look into your mailbox" })).toBeVisible();

  await page.goto(await mailedLink(portal, reader, /Do you want updates/));
  await follow(page, "button", /^Yes, send updates here$/);
  await expect(page.getByRole("heading", { name: "This address receives updates" })).toBeVisible();
  await expect(page.getByText(reader)).toBeVisible();

  requireValue(
    await backend.testAnalyzer.setStatusPage({ params, body: { ...settings, message: "We look into it." } }),
    "announcement",
  );
  await page.goto(await mailedLink(portal, reader, /Announcement/));
  await follow(page, "button", /^End the updates$/);
  await expect(page.getByRole("heading", { name: "No updates are sent" })).toBeVisible();
  const subscribers = await backend.testAnalyzer.listStatusSubscribers({ params, query: {} });
  expect(requireValue(subscribers, "subscribers").items).toEqual([]);
}
