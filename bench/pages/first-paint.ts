import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Browser } from "@playwright/test";
import { fetchCompressed, median } from "../viewer/page-cost.ts";

export interface FirstPaint {
  /** Milliseconds from the request to the first contentful paint, median. */
  ours: number;
  /** The same page with all of its resources inlined. */
  inlined: number;
  /** Requests until the network was idle. */
  requests: number;
}

const throttled = { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };

/**
 * When a first visit of a page is visible over HTTP/1.1 at 400 ms and 400 kbit/s, compared with the same page fully
 * inlined. Both are opened alternately, each time in a fresh profile.
 * @param cookie of a session, or empty; nothing that reveals an earlier visit
 */
export async function measureFirstPaint(
  browser: Browser,
  { url, cookie, rounds }: { url: string; cookie: string; rounds: number },
): Promise<FirstPaint> {
  const { body } = await fetchCompressed(url, cookie);
  const inlined = gzipSync(await inline(gunzipSync(body).toString(), new URL(url).origin));
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" });
    response.end(inlined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const peer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const times = { ours: [] as number[], inlined: [] as number[] };
  let requests = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const visit = await paint(browser, url, cookie);
      times.ours.push(visit.milliseconds);
      requests = visit.requests;
      times.inlined.push((await paint(browser, peer, "")).milliseconds);
    }
  } finally {
    server.close();
  }
  return { ours: median(times.ours), inlined: median(times.inlined), requests };
}

/** Inlines every resource that the page references. */
async function inline(html: string, origin: string): Promise<string> {
  const asset = async (path: string) => await (await fetch(origin + path)).text();
  let whole = html.replace(/<link rel="(?:prefetch|modulepreload)"[^>]*>/g, "");
  for (const [tag, path] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"\/>/g)) {
    whole = whole.replace(tag, `<style>${await asset(path!)}</style>`);
  }
  for (const [tag, path] of html.matchAll(/<script type="module" src="([^"]+)"[^>]*><\/script>/g)) {
    const script = await asset(path!);
    whole = whole.replace(tag, () => `<script type="module">${script}</script>`);
  }
  return whole.replace(/<link rel="icon"[^>]*>/, '<link rel="icon" href="data:,"/>');
}

async function paint(
  browser: Browser,
  url: string,
  cookie: string,
): Promise<{ milliseconds: number; requests: number }> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", throttled);
    if (cookie) {
      const given = cookie.split("; ").map((one) => {
        const [name = "", ...value] = one.split("=");
        return { name, value: value.join("="), url };
      });
      await context.addCookies(given);
    }
    let requests = 0;
    page.on("request", () => {
      requests += 1;
    });
    await page.goto(url, { waitUntil: "networkidle" });
    const milliseconds = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    );
    return { milliseconds, requests };
  } finally {
    await context.close();
  }
}
