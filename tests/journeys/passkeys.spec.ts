import { expect, expectAccessible, test } from "../support/portal-test.ts";
import { joinAs } from "../support/registered-account.ts";

test("a passkey is added with the device, signs in after the password, and is removed", async ({
  portal,
  ownTab: page,
}) => {
  // Browsers bind passkeys to names, and never to an IP address.
  const origin = portal.origin.replace("127.0.0.1", "localhost");
  const { username, password } = await joinAs(portal, "VIEWER");
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  await devTools.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, hasResidentKey: true } });
  async function logIn() {
    await page.goto(`${origin}/login?redirectTo=%2Fprofile%2Fpasskeys`);
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Password").fill(password);
    await page
      .getByRole("button", { name: /log in|^login$/i })
      .last()
      .click();
  }

  await logIn();
  await page.getByLabel("Name").fill("Work laptop");
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const create = page.getByRole("button", { name: "Create the passkey" });
  await expect(create).toBeVisible();
  await expectAccessible(page);
  await create.click();
  await expect(page.getByText("Copy them now. They won't be shown again.")).toBeVisible();

  await page.getByRole("button", { name: "Logout" }).first().click();
  await expect(page).toHaveURL(`${origin}/`);
  await logIn();
  await expect(page.getByRole("heading", { name: "Confirm your identity" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("row", { name: /Work laptop/ })).not.toContainText("Never");

  await page.getByRole("link", { name: "Rename or remove Work laptop" }).click();
  await expect(page.getByRole("heading", { name: "Work laptop", level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Current password").fill(password);
  await page.getByRole("button", { name: "Remove the passkey" }).click();
  await expect(page.getByText("You have no passkeys")).toBeVisible();
});
