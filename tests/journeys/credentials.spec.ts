import { liveThroughCredential } from "../support/credential-life.ts";
import { expect, expectAccessible, test } from "../support/portal-test.ts";

test("a credential is created, found, changed and deleted", async ({ signedIn }) => {
  await liveThroughCredential(signedIn, "Shop journeys");
});

test("a secret is never in a page, not even in the answer to a form that was refused", async ({ signedIn }) => {
  await signedIn.goto("/administration/credentials/create");
  await signedIn.getByLabel("Bearer").check();
  await signedIn.getByLabel("Name", { exact: true }).fill("Canary");
  await signedIn.getByLabel("Domain").fill("https://not a host");
  await signedIn.locator("[name=secret]").fill("canary-9c1e");
  await signedIn.getByRole("button", { name: "Create credential" }).click();
  await expect(signedIn.getByText("Write a host name as in api.example.com").first()).toBeVisible();
  expect(await signedIn.content()).not.toContain("canary-9c1e");
  await signedIn.getByLabel("Domain").fill("canary.example.com");
  await signedIn.locator("[name=secret]").fill("canary-9c1e");
  await signedIn.getByRole("button", { name: "Create credential" }).click();
  await signedIn.getByRole("link", { name: "Canary", exact: true }).click();
  await expect(signedIn.locator("[name=secret]")).toHaveValue("");
  expect(await signedIn.content()).not.toContain("canary-9c1e");
});

test("the form shows the fields of the chosen type", async ({ signedIn }) => {
  await signedIn.goto("/administration/credentials/create");
  await expect(signedIn.getByLabel("User name")).toBeVisible();
  await expect(signedIn.getByLabel("Name of the header")).toBeHidden();
  await signedIn.getByLabel("API key").check();
  await expect(signedIn.getByLabel("User name")).toBeHidden();
  await expect(signedIn.getByLabel("Name of the header")).toBeVisible();
  await signedIn.getByLabel("Bearer").check();
  await expect(signedIn.getByLabel("Name of the header")).toBeHidden();
  await expectAccessible(signedIn);
});
