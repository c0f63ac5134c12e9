import { writeMessage } from "../support/contact-life.ts";
import { expect, test } from "../support/portal-test.ts";

test("a message reaches the people who run the portal", async ({ page, portal }) => {
  await writeMessage(page, portal, "Plans for two teams");
});

test("the page knows who is signed in and what it is about", async ({ signedIn: page }) => {
  await page.goto("/contact?subject=A%20limit");
  await expect(page.getByLabel("Your name")).not.toHaveValue("");
  await expect(page.getByLabel("Subject")).toHaveValue("A limit");
});
