import { writeMessage } from "../support/contact-life.ts";
import { test } from "../support/portal-test.ts";

test("a message is written without script", async ({ page, portal }) => {
  await writeMessage(page, portal, "Plans without script");
});
