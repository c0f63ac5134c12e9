import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { follow, tabTo, tick, typeInto } from "./keyboard.ts";

const resource = (type: string, id: string, more: object) => ({ _id: id, _type: type, parentId: "wrk", ...more });
const environment = (id: string, name: string, data: object) => ({
  ...resource("environment", id, { name, data }),
  parentId: "base",
});

/** With two environments, whose tokens differ. */
const exported = (name: string) => ({
  ...{ _type: "export", __export_format: 4 },
  resources: [
    resource("workspace", "wrk", { name }),
    resource("environment", "base", { name: "Base", data: { team: "readers" } }),
    environment("staging", "Staging", { base: "https://staging.example.com", token: "canary-of-staging" }),
    environment("live", "Live", { base: "https://books.example.com", token: "canary-of-live" }),
    resource("request", "list", {
      ...{ name: "List books", method: "GET", url: "{{ _.base }}/books?team={{ _.team }}" },
      authentication: { type: "bearer", token: "{{ _.token }}" },
    }),
    resource("request", "read", {
      ...{ name: "Read a book", method: "GET", url: "{{ _.base }}/books/7" },
      afterResponseScript: "for (const book of books) check(book);",
    }),
  ],
});

/** By keyboard alone: pastes a collection, reads its review, leaves an environment out, and imports the rest. */
export async function importCollection(page: Page): Promise<void> {
  const name = `Readers ${randomUUID().slice(0, 8)}`;
  await page.goto("/api-management/register");
  await follow(page, "link", /^Import a collection$/);
  await tabTo(page, "textbox", /^Or paste the content of a file/);
  await page.keyboard.insertText(JSON.stringify(exported(name)));
  await follow(page, "button", /^Review$/);
  await expect(page.getByText(`${name}: read as Insomnia`)).toBeVisible();
  await expect(page.getByText("https://staging.example.com, 1 variable, secret: token")).toBeVisible();
  await expect(page.getByText("for (const book of books) check(book);")).toBeVisible();
  expect(await page.content()).not.toContain("canary-of-");

  await tick(page, /^Live$/);
  await typeInto(page, /^Name of the new API/, name);
  await follow(page, "button", /^Import$/);
  await expect(page.getByText("Imported from Insomnia: 2 tests, 1 circle")).toBeVisible();
  await follow(page, "link", new RegExp(`^environments of ${name}$`));
  await expect(page.getByLabel(/^Base URL/).first()).toHaveValue("https://staging.example.com");
  expect(await page.content()).not.toContain("canary-of-");
}
