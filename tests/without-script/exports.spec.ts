import { exportCircle } from "../support/export-life.ts";
import { test } from "../support/portal-test.ts";

test("by keyboard alone a circle is exported in every format, and what is lost is read before, without script", async ({
  signedIn: page,
  portal,
  targetApi,
}) => {
  await exportCircle(page, portal, targetApi);
});
