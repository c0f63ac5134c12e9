import { importCollection } from "../support/import-life.ts";
import { test } from "../support/portal-test.ts";

test("by keyboard alone a collection is reviewed and imported with its environment, without script", async ({
  signedIn: page,
}) => {
  await importCollection(page);
});
