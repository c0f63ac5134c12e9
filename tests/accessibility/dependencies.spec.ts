import { requireValue } from "../../services/kit/client/client.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";
import { describeRelated, library } from "../support/related-api.ts";
import { visitAll } from "../support/visit-all.ts";

test("axe finds nothing on the plot of resources, and a box leads by keyboard to its section", async ({
  signedIn: page,
  portal,
}) => {
  const { apiRegistry } = await signInToBackend(portal);
  const made = await apiRegistry.registerApi({ body: { source: { document: describeRelated(library) } } });
  const path = `/api-management/${requireValue(made, "registering").id}/dependencies`;
  await visitAll(page, [path]);
  await page.getByRole("link", { name: "Loan /loans/{loanId} needs member, book" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#resource-\d+$/);
});
