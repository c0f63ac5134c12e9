import { test } from "../support/portal-test.ts";
import { reviewWatchedDocument } from "../support/watched-document-life.ts";

test("by keyboard alone a watched document is reviewed and taken over, without script", async ({
  signedIn: page,
  portal,
}) => {
  await reviewWatchedDocument(page, portal);
});
