import { expect, type Page } from "@playwright/test";
import { startDocumentServer } from "../../services/api-registry/testing/document-server.ts";
import { smallDocument } from "../../services/api-registry/testing/fixtures.ts";
import { follow, typeInto } from "./keyboard.ts";
import { registerApi, signInToBackend } from "./portal-backend.ts";
import type { RunningPortal } from "./portal-process.ts";

const withoutPet = smallDocument({
  info: { title: "Small", version: "2" },
  paths: { "/new": { get: { responses: { "200": { description: "ok" } } } } },
});

/** By keyboard alone: watches a document, reviews the version that breaks something, and takes it over. */
export async function reviewWatchedDocument(page: Page, portal: RunningPortal): Promise<void> {
  const server = await startDocumentServer(smallDocument());
  try {
    const apiId = await registerApi(await signInToBackend(portal), server.url);
    const details = `/api-management/${apiId}/details`;
    await page.goto(details);
    await follow(page, "link", /^Watch the document$/);
    server.serve(withoutPet);
    await typeInto(page, /^Document URL/, server.url);
    await follow(page, "button", /^Watch it$/);
    await expect(page.getByText("The document is watched.")).toBeVisible();
    await expect(async () => {
      await page.goto(`${details}/watch`);
      await expect(page.getByText("Version 2 waits for a decision")).toBeVisible({ timeout: 1_000 });
    }).toPass();

    // From the incident, as an alert leads there.
    await page.goto(`/test-management/incidents?apiId=${apiId}`);
    await follow(page, "link", /The document of Small changed/);
    await follow(page, "link", /^Review the new version$/);
    await expect(page.getByRole("heading", { name: /Removed operations/ })).toBeVisible();
    await follow(page, "link", /^Take it over$/);
    await expect(page.getByText("Take over version 2?")).toBeVisible();
    await follow(page, "button", /^Take over$/);
    await expect(page.getByText("Version 2 is taken over.")).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${details}$`));

    await page.goto(`${details}/watch`);
    await follow(page, "link", /^End the watch$/);
    await follow(page, "button", /^End the watch$/);
    await expect(page.getByText("The document is no longer watched.")).toBeVisible();
  } finally {
    await server.close();
  }
}
