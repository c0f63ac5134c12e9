import { follow, tick, typeInto } from "../support/keyboard.ts";
import { bringPeopleIn, tenPeople } from "../support/people-life.ts";
import { expect, test } from "../support/portal-test.ts";

test("an administrator invites ten people at once, sees which invitations are open and changes a role", async ({
  signedIn,
  portal,
}) => {
  await bringPeopleIn(signedIn, portal);
});

test("people are invited, and an invitation is cancelled, by keyboard alone", async ({ signedIn: page }) => {
  const { emails } = tenPeople();
  await page.goto("/dashboard");
  await follow(page, "link", /^Administration$/);
  await follow(page, "link", /^Invitations/);
  await follow(page, "link", /^Invite people$/);
  await typeInto(page, /Email addresses/, emails.slice(0, 2).join(", "));
  await tick(page, /^Editor$/);
  await follow(page, "button", /^Send invitations$/);
  await expect(page.getByText("2 people are invited.")).toBeVisible();
  await follow(page, "link", new RegExp(`^${emails[0]}$`));
  await follow(page, "link", /^Cancel invitation$/);
  await expect(page.getByRole("link", { name: "Keep it" })).toBeFocused();
  await follow(page, "button", /^Cancel invitation$/);
  await expect(page.getByText("The invitation is cancelled.")).toBeVisible();
});
