import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { follow, tabTo, typeInto } from "./keyboard.ts";
import { makeTests } from "./made-tests.ts";
import { signInToBackend } from "./portal-backend.ts";
import type { RunningPortal } from "./portal-process.ts";
import type { TargetApi } from "./target-api.ts";

/** By keyboard alone: creates a location, gets a code for its first agent, and chooses it for an environment. */
export async function openLocation(page: Page, portal: RunningPortal, targetApi: TargetApi): Promise<void> {
  const { apiId } = await makeTests(await signInToBackend(portal), targetApi);
  const name = `Office ${randomUUID().slice(0, 8)}`;
  await page.goto("/administration/locations");
  await follow(page, "link", /^Create a location$/);
  await typeInto(page, /^Name/, name);
  await follow(page, "button", /^Create location$/);
  await expect(page.getByRole("heading", { name: `Add an agent to ${name}` })).toBeVisible();
  await follow(page, "button", /^Create the code$/);
  await expect(page.getByText(/agent register --url \S+ --code aac_\w{32}/)).toBeVisible();
  await follow(page, "link", /^Done$/);
  await expect(page.getByText("No agent yet", { exact: true })).toBeVisible();

  await page.goto(`/api-management/${apiId}/details/environments`);
  await follow(page, "button", /^Add an environment$/);
  await typeInto(page, /^Name/, "Staging");
  await typeInto(page, /^Base URL/, targetApi.origin);
  await tabTo(page, "combobox", /^Runs from/);
  await page.keyboard.type(name);
  await follow(page, "button", /^Save environments$/);
  await expect(page.getByText(`Runs from: ${name}`)).toBeVisible();
  await follow(page, "link", new RegExp(`^${name}$`));
  await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
}
