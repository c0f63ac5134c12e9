import { requireValue } from "../../services/kit/client/client.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import type { RunningPortal } from "../support/portal-process.ts";
import { expect, test } from "../support/portal-test.ts";
import { describeRelated, library } from "../support/related-api.ts";
import { visitAll } from "../support/visit-all.ts";

/** @returns the address of its pages */
async function register(portal: RunningPortal, document: string): Promise<string> {
  const { apiRegistry } = await signInToBackend(portal);
  const made = await apiRegistry.registerApi({ body: { source: { document } } });
  return `/api-management/${requireValue(made, "registering").id}`;
}

test("axe finds nothing on the plot of resources, and a box leads by keyboard to its section", async ({
  signedIn: page,
  portal,
}) => {
  const path = `${await register(portal, describeRelated(library))}/dependencies`;
  await visitAll(page, [`${path}/resource?key=%2Fbooks%2F%7B%7D`, path]);
  await page.getByRole("link", { name: "Loan /loans/{loanId} needs member, book" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#resource-\d+$/);
});

test("axe finds nothing on a webhook or a schema of the reference", async ({ signedIn: page, portal }) => {
  const document = JSON.parse(describeRelated(library));
  const event = {
    type: "object",
    required: ["bookId"],
    properties: { bookId: { type: "string" }, at: { type: "string" } },
  };
  const requestBody = { required: true, content: { "application/json": { schema: event } } };
  document.webhooks = {
    bookReturned: {
      post: { summary: "A book was returned", requestBody, responses: { 204: { description: "Heard" } } },
    },
  };
  const reference = `${await register(portal, JSON.stringify(document))}/swagger`;
  const place = encodeURIComponent("/operation/responses/200/content/0/schema");
  await visitAll(page, [
    `${reference}/webhook?method=post&path=bookReturned`,
    `${reference}/schema?method=get&path=%2Fshops&place=${place}`,
  ]);
});
