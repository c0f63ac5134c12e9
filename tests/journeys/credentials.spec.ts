import { liveThroughCredential } from "../support/credential-life.ts";
import { expect, expectAccessible, test } from "../support/portal-test.ts";

test("a credential is created, found, changed and deleted", async ({ signedIn }) => {
  await liveThroughCredential(signedIn, "Shop journeys");
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
