import { test } from "../support/portal-test.ts";
import { followStatusByMail } from "../support/status-updates-life.ts";

test("by keyboard alone a visitor gets updates of a status page by email, confirms and ends them, without script", async ({
  page,
  portal,
  targetApi,
}) => {
  await followStatusByMail(page, portal, targetApi);
});
