import { follow, tabTo, typeInto } from "../support/keyboard.ts";
import { mailedCode, mailedLink } from "../support/mailed.ts";
import { expect, expectAccessible, test } from "../support/portal-test.ts";
import { goodPassword, newcomer, registerFromPlan } from "../support/registration-life.ts";

test("an organization registers from a plan's card and signs in", async ({ page, portal }) => {
  await registerFromPlan(page, portal, { organizationName: "Bookshop" });
});

test("registering can be done by keyboard alone", async ({ page, portal }) => {
  const { email, username } = newcomer();
  await page.goto("/");
  await follow(page, "link", /^Register with Free/);
  await follow(page, "link", /^Individual/);
  await typeInto(page, /Email address/, email);
  await tabTo(page, "radio", /^Free/);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /^Team/ })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/create-account-individual-success");

  await page.goto(await mailedLink(portal, email, /registration/i));
  await follow(page, "button", /^Send the code$/);
  await expect(page).toHaveURL(/code=sent/);
  await typeInto(page, /Verification code/, await mailedCode(portal, email));
  await typeInto(page, /Your name/, "Ada Lovelace");
  await typeInto(page, /Username/, username);
  await typeInto(page, /Password/, goodPassword);
  // Enter creates the account, although the button for another code comes first.
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/login\\?registered=${username}`));
  await typeInto(page, /Password/, goodPassword);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/billing?serviceId=team");
});

test("errors of a request are reported at the field, and the input is kept", async ({ page }) => {
  await page.goto("/create-account-organization?serviceId=business");
  await page.getByLabel("Name of the organization").fill("X");
  await page.getByLabel("Email address").fill("somebody@nowhere");
  await page.getByRole("radio", { name: "Free" }).check();
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await page.getByRole("link", { name: "An organization's name has at least 2 characters" }).click();
  await expect(page.getByLabel("Name of the organization")).toBeFocused();
  await expect(page.getByLabel("Email address")).toHaveValue("somebody@nowhere");
  await expect(page.getByLabel("Email address")).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
});

test("a form that is sent at once waits until the browser has shown that a person sends it", async ({ page }) => {
  await page.goto("/create-account-individual");
  await page.getByLabel("Email address").fill(newcomer().email);
  const posted = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Email me a link" }).click();
  const token = new URLSearchParams((await posted).postData() ?? "").get("recaptchaToken") ?? "";
  expect(JSON.parse(atob(token))).toMatchObject({ solution: { derivedKey: expect.any(String) } });
  await expect(page).toHaveURL("/create-account-individual-success");
});

test("a form that was open too long for its check gets a new one", async ({ ownTab: page }) => {
  await page.goto("/create-account-individual");
  await expect(page.getByText("Verified")).toBeVisible();
  await page.clock.setFixedTime(Date.now() + 60 * 60 * 1_000);
  const requested = page.waitForRequest(/\/human-check$/);
  await page.getByLabel("Email address").fill(newcomer().email);
  await requested;
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect(page).toHaveURL("/create-account-individual-success");
});
