import { doMainJob } from "../support/main-job.ts";
import { test } from "../support/portal-test.ts";

test("the main job needs no script", async ({ signedIn, targetApi }) => {
  await doMainJob(signedIn, targetApi, "Bookshop without script");
});
