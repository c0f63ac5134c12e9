import type { Browser, BrowserContextOptions } from "@playwright/test";

export interface BrowserCost {
  /** Bytes over the wire, headers included. */
  bytes: number;
  millisecondsUntilVisible: number;
  /** Sum of task time beyond 50 ms each, until the operation was visible and the network idle. */
  blockingMilliseconds: number;
}

export interface BrowserRun {
  url: string;
  /** Text of the operation that must be visible. */
  selector: string;
  context?: BrowserContextOptions;
  timeoutMilliseconds?: number;
}

/** Opens a page in a fresh profile on a slow network (150 ms, 1.6 Mbit/s) and a four times slower processor. */
export async function measureInBrowser(browser: Browser, run: BrowserRun): Promise<BrowserCost> {
  const context = await browser.newContext(run.context);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 1_600_000 / 8,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(() => {
    const seen = { blocked: 0 };
    Object.assign(window, { longTasks: seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.blocked += Math.max(0, duration - 50);
    }).observe({ type: "longtask", buffered: true });
  });
  const start = performance.now();
  const timeout = run.timeoutMilliseconds ?? 60_000;
  await page.goto(run.url, { waitUntil: "commit", timeout });
  await page.locator(run.selector).first().waitFor({ state: "visible", timeout });
  const millisecondsUntilVisible = performance.now() - start;
  await page.waitForLoadState("networkidle", { timeout });
  const blockingMilliseconds = await page.evaluate(
    () => (window as unknown as { longTasks: { blocked: number } }).longTasks.blocked,
  );
  await context.close();
  return { bytes, millisecondsUntilVisible, blockingMilliseconds };
}
