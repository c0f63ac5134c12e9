import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "../support/portal-test.ts";
import { startPostgresPortal } from "../support/postgres-portal.ts";

/** Stands in for reCAPTCHA and similar providers: a script that fills the field, and a check that accepts its value. */
async function startProvider() {
  const verified: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === "/api.js") {
      response.setHeader("content-type", "text/javascript");
      return response.end(`
        for (const place of document.querySelectorAll(".g-recaptcha")) {
          const field = document.createElement("textarea");
          field.name = "g-recaptcha-response";
          field.hidden = true;
          field.value = "solved for " + place.dataset.sitekey;
          place.append(field);
        }`);
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    const requested = new URLSearchParams(body);
    verified.push(requested.get("response") ?? "");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ success: requested.get("secret") === "s3cret" }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, verified, stop: () => server.close() };
}

test("a configured provider's widget runs under the script policy, and its response is verified", async ({
  browser,
}) => {
  const provider = await startProvider();
  const portal = await startPostgresPortal({
    // Never requested: the address is reserved.
    MAIL_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "portal@example.com",
    RECAPTCHA_SITE_KEY: "site-key",
    RECAPTCHA_SECRET: "s3cret",
    RECAPTCHA_VERIFY_URL: `${provider.origin}/verify`,
    RECAPTCHA_SCRIPT_URL: `${provider.origin}/api.js`,
  });
  const page = await browser.newPage({ baseURL: portal.origin });
  try {
    await page.goto("/password-reset");
    await expect(page.locator("[name=g-recaptcha-response]")).toHaveValue("solved for site-key");
    await page.getByLabel("Email address").fill("ada@example.com");
    await page.getByRole("button", { name: "Email me a link" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check your email");
    expect(provider.verified).toEqual(["solved for site-key"]);
  } finally {
    await page.close();
    await portal.stop();
    provider.stop();
  }
});
