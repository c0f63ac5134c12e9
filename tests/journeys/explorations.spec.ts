import { requireValue } from "../../services/kit/client/client.ts";
import { startFaultyApi } from "../support/faulty-api.ts";
import { follow } from "../support/keyboard.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";

test("an exploration is started by keyboard and followed to its end, and what it found is saved", async ({
  signedIn: page,
  portal,
}) => {
  const faulty = await startFaultyApi();
  try {
    const backend = await signInToBackend(portal);
    const source = { url: faulty.documentUrl };
    const { id: apiId } = requireValue(await backend.apiRegistry.registerApi({ body: { source } }), "registering");
    await page.goto(`/test-management/${apiId}/explorations`);
    await page.getByLabel("Requests, at most").fill("60");
    await follow(page, "button", /^Start exploring$/);
    await expect(page).toHaveURL(/\/explorations\/[^/]+$/);
    const progress = page.getByRole("progressbar", { name: "Requests sent" });
    await expect(progress).toBeVisible();
    await expect.poll(() => progress.getAttribute("value").catch(() => "ended")).not.toBe("0");
    // The page loads itself again at its end.
    await expect(page.getByRole("button", { name: "Start again with the same seed" })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole("heading", { level: 3, name: /GET \/books, 500/ }).first()).toBeVisible();
    await follow(page, "button", /^Save as a test$/);
    await expect(page.getByText("Saved as a test:").first()).toBeVisible();
  } finally {
    await faulty.stop();
  }
});
