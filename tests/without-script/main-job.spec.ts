import { countWayToReason } from "../support/counted-clicks.ts";
import { doMainJob } from "../support/main-job.ts";
import { expect, test } from "../support/portal-test.ts";

test("the main job needs no script", async ({ signedIn, targetApi }) => {
  await doMainJob(signedIn, targetApi, "Bookshop without script");
});

test("from the dashboard to the reason of a first failure takes 4 clicks and 1 field, on a phone too", async ({
  signedIn,
  targetApi,
}) => {
  const max = { clicks: 4, fields: 1 };
  expect(await countWayToReason(signedIn, targetApi, true)).toEqual(max);
  await signedIn.setViewportSize({ width: 360, height: 740 });
  expect(await countWayToReason(signedIn, targetApi, true)).toEqual(max);
});
