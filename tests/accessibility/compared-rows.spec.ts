import { makeWorld } from "../support/made-world.ts";
import { expect, test } from "../support/portal-test.ts";
import { tallRows } from "../support/row-lines.ts";

/** By the column's label on a phone: the longest text of its cell. */
const longest = {
  Status: "200, was 404",
  Time: "59 min 59 s, was 59 min 59 s",
  "Body differs in": "what always differs",
};

test("on a phone a compared execution takes three lines, whatever changed and however long it took", async ({
  signedIn,
  portal,
  targetApi,
}) => {
  const { apiId, circleRunId } = await makeWorld(portal, targetApi);
  await signedIn.setViewportSize({ width: 360, height: 800 });
  await signedIn.goto(`/test-management/${apiId}/runs/${circleRunId}/comparison?show=all`);
  const row = signedIn.locator("tbody tr").first();
  for (const [label, words] of Object.entries(longest)) {
    await row.locator(`td[data-label="${label}"]`).evaluate((cell, text) => cell.replaceChildren(text), words);
  }
  await row.locator("td:not([data-label]) > span").evaluate((verdict) => verdict.append(", was cancelled"));
  await row.locator("th a").evaluate((name) => name.append(" and does what it says, however long its name is"));
  expect(await tallRows(signedIn, 3)).toEqual([]);
});
