import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { requireValue } from "../../services/kit/client/client.ts";
import { openNewTest, untilAlive } from "../support/editor-page.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { expect, expectAccessible, test } from "../support/portal-test.ts";

test("a chosen file is sent byte for byte without a reload, and the code names it", async ({
  signedIn: page,
  portal,
}) => {
  let received = Buffer.alloc(0);
  const target = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received = Buffer.concat(chunks);
    response.end("{}");
  });
  await new Promise<void>((listening) => target.listen(0, "127.0.0.1", listening));
  try {
    const file = { type: "string", format: "binary" };
    const schema = { properties: { photo: file, note: { const: "a note" } }, required: ["photo", "note"] };
    const post = {
      requestBody: { required: true, content: { "multipart/form-data": { schema } } },
      responses: { 200: { description: "ok" } },
    };
    const document = JSON.stringify({
      ...{ openapi: "3.1.0", info: { title: "Photos", version: "1" }, paths: { "/photos": { post } } },
      servers: [{ url: `http://127.0.0.1:${(target.address() as AddressInfo).port}` }],
    });
    const backend = await signInToBackend(portal);
    const made = await backend.apiRegistry.registerApi({ body: { name: "Photos to send", source: { document } } });
    const { id } = requireValue(made, "API");
    await page.goto(`/api-management/${id}/swagger/operation?method=post&path=%2Fphotos`);
    const url = page.url();
    const bytes = randomBytes(2_000);
    const photo = page.locator("#send input[type=file]");
    const choose = () => photo.setInputFiles({ name: "my photo.png", mimeType: "image/png", buffer: bytes });
    await choose();
    await expect(page.getByLabel("curl sample")).toContainText("my photo.png");
    await photo.setInputFiles([]);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText("Choose a file");
    await choose();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(page.getByText("200 OK")).toBeVisible();
    expect(received.includes(bytes)).toBe(true);
    expect(page.url()).toBe(url);
    await expectAccessible(page);
  } finally {
    target.close();
  }
});

test("a credential is stored in another tab, and what was typed into the test stays", async ({
  signedIn: page,
  portal,
}) => {
  const document = JSON.stringify({
    ...{ openapi: "3.1.0", info: { title: "Keys", version: "1" }, servers: [{ url: "https://keys.example.com" }] },
    components: { securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "X-Keys" } } },
    paths: { "/keys": { get: { security: [{ apiKey: [] }], responses: { 200: { description: "ok" } } } } },
  });
  const backend = await signInToBackend(portal);
  const made = await backend.apiRegistry.registerApi({ body: { name: "Keys to store", source: { document } } });
  await openNewTest(page, requireValue(made, "API").id, { method: "get", path: "/keys" });
  await untilAlive(page);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Half done");
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Store one in a new tab" }).click();
  const tab = await opened;
  await expect(tab.getByRole("heading", { level: 1 })).toContainText("Authentication of Keys to store");
  await tab.close();
  await expect(name).toHaveValue("Half done");
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
});
