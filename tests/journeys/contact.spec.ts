import { writeMessage } from "../support/contact-life.ts";
import { test } from "../support/portal-test.ts";

test("a message reaches the operators of the portal", async ({ page, portal }) => {
  await writeMessage(page, portal, "Plans for two teams");
});
