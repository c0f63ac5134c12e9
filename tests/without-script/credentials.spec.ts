import { liveThroughCredential } from "../support/credential-life.ts";
import { test } from "../support/portal-test.ts";

test("a credential is created, found, changed and deleted", async ({ signedIn }) => {
  await liveThroughCredential(signedIn, "Shop without-script");
});
