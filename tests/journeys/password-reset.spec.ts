import { resetPassword } from "../support/password-reset-life.ts";
import { test } from "../support/portal-test.ts";

test("a forgotten password is reset with a mailed link", async ({ page, portal }) => {
  await resetPassword(page, portal);
});
