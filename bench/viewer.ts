/**
 * The cost of opening one operation in the viewer, for documents of 20 and of 10,000 operations, and side by side with
 * swagger-ui-dist on the larger one. Run on a built portal: `npm run bench:viewer`.
 */

import { gunzipSync, gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { findBrowser } from "../scripts/browser.js";
import { startPortalProcess } from "../tests/support/portal-process.ts";
import { measureInBrowser } from "./viewer/browser-cost.ts";
import { generateDocument } from "./viewer/document.ts";
import { fetchCompressed, median } from "./viewer/page-cost.ts";
import { openSession, registerDocument } from "./viewer/portal-session.ts";
import { startSwaggerUi } from "./viewer/swagger-ui.ts";

const rounds = Number(process.env.ROUNDS ?? 150);
const warmUpRounds = 40;
const print = (line = "") => process.stdout.write(`${line}\n`);
const kibibytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;

const sizes = { small: 20, large: 10_000 };
const documents = { small: generateDocument(sizes.small), large: generateDocument(sizes.large) };
const portal = await startPortalProcess();
try {
  const { cookie, token } = await openSession(portal);
  const ids = {
    small: await registerDocument(portal, token, documents.small),
    large: await registerDocument(portal, token, documents.large),
  };
  const toPath = (number: number) => `/tenants/{tenantId}/orders-${number}`;
  const getAddress = (size: "small" | "large", number: number) =>
    `${portal.origin}/api-management/${ids[size]}/swagger/operation?${new URLSearchParams({ method: "post", path: toPath(number) })}`;
  /** Spread over the document, so that no page is cheap for being near the beginning. */
  const numberIn = (size: "small" | "large", round: number) => (round * 7_919) % sizes[size];

  const times = { small: [] as number[], large: [] as number[] };
  const bytes = { small: [] as number[], large: [] as number[] };
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const size of ["small", "large"] as const) {
      const page = await fetchCompressed(getAddress(size, numberIn(size, Math.abs(round))), cookie);
      if (round < 0) continue;
      times[size].push(page.milliseconds);
      bytes[size].push(page.bytes);
    }
  }
  const [smallTime, largeTime] = [median(times.small), median(times.large)];
  print(
    `server time, median of ${rounds}: ${smallTime.toFixed(1)} ms of ${sizes.small} operations, ${largeTime.toFixed(1)} ms of ${sizes.large}`,
  );
  print(`  ratio ${(largeTime / smallTime).toFixed(2)} (at most 1.5)`);
  print(
    `page, compressed: ${kibibytes(median(bytes.small))} of ${sizes.small}, ${kibibytes(median(bytes.large))} of ${sizes.large}`,
  );
  print(`  ratio ${(median(bytes.large) / median(bytes.small)).toFixed(2)} (at most 1.5)`);

  const largest = await fetchCompressed(getAddress("large", sizes.large - 1), cookie);
  const html = (largest.encoding === "gzip" ? gunzipSync(largest.body) : largest.body).toString();
  // The shared style sheet is fetched when idle, for the following pages.
  const ahead = new Set([...html.matchAll(/rel="prefetch"[^>]* href="([^"]+)"/g)].map(([, url]) => url!));
  const assets = new Set([...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js))"/g)].map(([, url]) => url!));
  const toBytes = async (url: string) => (await fetchCompressed(portal.origin + url, cookie)).bytes;
  let [now, later] = [largest.bytes, 0];
  for (const url of assets) {
    if (ahead.has(url)) later += await toBytes(url);
    else now += await toBytes(url);
  }
  print(
    `page with its styles, and entry script: ${kibibytes(now)} (at most 20) in ${assets.size - ahead.size + 1} requests; page alone ${kibibytes(html.length)} before compression, ${kibibytes(gzipSync(html).length)} as gzip`,
  );
  print(`  fetched ahead for the next pages, once: ${kibibytes(later)}; together ${kibibytes(now + later)}`);

  const swaggerUi = await startSwaggerUi(documents.large);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  try {
    const number = sizes.large / 2;
    const cookies = cookie.split("; ").map((pair) => {
      const at = pair.indexOf("=");
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: portal.origin };
    });
    const storageState = {
      cookies: cookies.map(({ name, value }) => ({
        name,
        value,
        domain: "127.0.0.1",
        path: "/",
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: "Lax" as const,
      })),
      origins: [],
    };
    const ours = await measureInBrowser(browser, {
      url: getAddress("large", number),
      selector: `h1:has-text("Create an order of kind ${number}")`,
      context: { storageState },
    });
    const withIsland = ours.bytes;
    print(`in Chromium, with the island: ${kibibytes(withIsland)} over the wire (at most 120)`);
    const theirs = await measureInBrowser(browser, {
      url: swaggerUi.addressOf(`group-${Math.floor(number / 100)}`, `createOrder${number}`),
      selector: `.opblock.is-open:has-text("Create an order of kind ${number}")`,
      timeoutMilliseconds: 600_000,
    });
    print();
    print(`one operation of ${sizes.large}, 150 ms and 1.6 Mbit/s, processor 4 times slower:`);
    print(`                         viewer      swagger-ui-dist ${swaggerUi.version}   times`);
    const row = (name: string, one: number, other: number, unit: string) =>
      print(
        `${name.padEnd(22)} ${one.toFixed(0).padStart(8)} ${unit.padEnd(3)} ${other.toFixed(0).padStart(12)} ${unit.padEnd(3)} ${(other / Math.max(one, 1)).toFixed(1).padStart(16)}`,
      );
    row("bytes", ours.bytes / 1024, theirs.bytes / 1024, "KiB");
    row("visible after", ours.millisecondsUntilVisible, theirs.millisecondsUntilVisible, "ms");
    row("blocking", ours.blockingMilliseconds, theirs.blockingMilliseconds, "ms");
  } finally {
    await browser.close();
    await swaggerUi.stop();
  }
} finally {
  await portal.stop();
}
