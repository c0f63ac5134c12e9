import { startLifeApi } from "../support/life-api.ts";
import { expect, test } from "../support/portal-test.ts";
import { expectPassedLife, makeSuite } from "../support/suite-life.ts";

test("from the dashboard over the document and its API key to a passed life needs no script", async ({
  signedIn: page,
}) => {
  const library = await startLifeApi();
  expect(await makeSuite(page, library)).toEqual({ clicks: 4, fields: 2 });
  await expectPassedLife(page, library, true);
  await library.stop();
});
