import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { requireValue } from "../../services/kit/client/client.ts";
import { openExampleCircle } from "../support/example-circle.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

/** As far as these tests use a page of the driver, which is installed apart from the project. */
interface Tab {
  goto(address: string): Promise<unknown>;
  url(): string;
  setViewport(size: { width: number; height: number }): Promise<void>;
  setJavaScriptEnabled(enabled: boolean): Promise<void>;
  evaluate<Result, Given extends unknown[]>(
    code: string | ((...given: Given) => Result),
    ...given: Given
  ): Promise<Awaited<Result>>;
  waitForFunction<Given extends unknown[]>(
    code: string | ((...given: Given) => unknown),
    options?: object,
    ...given: Given
  ): Promise<unknown>;
  waitForNavigation(): Promise<unknown>;
  close(): Promise<void>;
  keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
  on(event: "pageerror", listener: (fault: Error) => void): void;
}

interface Firefox {
  newPage(): Promise<Tab>;
  close(): Promise<void>;
}

const { launch } = (await import(pathToFileURL(process.env.BROWSER_DRIVER!).href)) as {
  launch(options: object): Promise<Firefox>;
};
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let portal: PortalProcess;
let backend: PortalBackend;
let example: Awaited<ReturnType<typeof openExampleCircle>>;

before(async () => {
  portal = await startPortalProcess();
  backend = await signInToBackend(portal);
  example = await openExampleCircle(backend, portal.dataDirectory);
});
after(async () => {
  await example?.shop.close();
  await portal?.stop();
});

async function open(preferences: object = {}) {
  const browser = await launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX_PATH,
    headless: true,
    extraPrefsFirefox: preferences,
  });
  const faults: string[] = [];
  const openTab = async () => {
    const page = await browser.newPage();
    page.on("pageerror", ({ message }) => faults.push(message));
    await page.setViewport({ width: 1280, height: 860 });
    return page;
  };
  const page = await openTab();
  await page.goto(`${portal.origin}/login`);
  // The user name has the focus already.
  await page.keyboard.type(portal.username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(portal.password);
  await follow(page, "Enter");
  assert.match(page.url(), /\/dashboard$/);
  const tab = {
    ...{ browser, page, faults },
    /** Has the focus within the page. */
    async renew() {
      await tab.page.close();
      tab.page = await openTab();
    },
  };
  return tab;
}

/** Presses a key that leads to another page. */
async function follow(page: Tab, key: string) {
  const left = page.waitForNavigation();
  await page.keyboard.press(key);
  await left;
}

const focusedText = (page: Tab) =>
  page.evaluate(() => {
    const focused = document.activeElement as HTMLInputElement;
    return focused.labels?.[0]?.textContent ?? focused.ariaLabel ?? focused.textContent?.trim();
  });

/** Presses Tab until something with that text has the focus. */
async function tabTo(page: Tab, text: RegExp) {
  for (let stops = 1; stops <= 60; stops += 1) {
    await page.keyboard.press("Tab");
    if (text.test((await focusedText(page)) ?? "")) return;
  }
  assert.fail(`No stop with ${text}`);
}

const pages = async () => {
  const { items } = requireValue(await backend.apiRegistry.listApis({}), "listing APIs");
  const apiId = items[0]!.id;
  return [
    "/dashboard",
    "/api-management/list",
    `/test-management/${apiId}/manage`,
    `/test-management/${apiId}/tests`,
    `/test-management/${apiId}/tests/create/%2Fproducts/POST`,
    `/test-management/${apiId}/test-circles/${example.testCircleId}`,
    "/test-management/incidents",
    "/test-management/maintenance-windows/create",
    "/administration/credentials/create",
    "/administration/system-configuration",
  ];
};

for (const [name, preferences] of [
  ["in Firefox", {}],
  ["in Firefox with forced colours", { "browser.display.document_color_use": 2, "ui.useAccessibilityTheme": 1 }],
] as const) {
  describe(name, () => {
    let tab: Awaited<ReturnType<typeof open>>;
    before(async () => {
      tab = await open(preferences);
    });
    after(() => tab?.browser.close());

    test("axe finds nothing and no page is wider than a screen of 360 pixels, however widely text is set", async () => {
      const { page } = tab;
      for (const width of [1280, 360]) {
        await page.setViewport({ width, height: 800 });
        for (const address of await pages()) {
          await page.goto(portal.origin + address);
          await page.evaluate(axe);
          const found = await page.evaluate(async () => {
            const { violations } = await (window as unknown as { axe: typeof import("axe-core") }).axe.run();
            return violations.map(
              ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
            );
          });
          assert.deepEqual(found, [], address);
          // WCAG 1.4.12.
          const over = await page.evaluate(() => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(
              "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }",
            );
            document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
            return document.documentElement.scrollWidth - document.documentElement.clientWidth;
          });
          assert.ok(over <= 0, `${address} is ${over} px too wide at ${width}`);
        }
      }
      await page.setViewport({ width: 1280, height: 860 });
    });

    test("a question keeps the keyboard on its buttons, starting with the one that changes nothing", async () => {
      const { page } = tab;
      await page.goto(
        `${portal.origin}/test-management/test-circles/list?dialog=delete&testCircleId=${example.testCircleId}`,
      );
      assert.equal(await focusedText(page), "Cancel");
      await page.keyboard.press("Tab");
      assert.equal(await focusedText(page), "Delete circle");
      for (let stops = 0; stops < 4; stops += 1) {
        await page.keyboard.press("Tab");
        const within = await page.evaluate(
          () => document.activeElement === document.body || Boolean(document.activeElement?.closest("dialog")),
        );
        assert.ok(within, "the page behind has the focus");
      }
      await page.goto(
        `${portal.origin}/test-management/test-circles/list?dialog=delete&testCircleId=${example.testCircleId}`,
      );
      await follow(page, "Enter");
      assert.doesNotMatch(page.url(), /dialog=/);
      // Tab has led past the page to the browser's own controls, which would get the keys of the next test.
      await tab.renew();
    });

    test("the menu Run opens, and its entries are reached, by keyboard", async () => {
      const { page } = tab;
      await page.goto(portal.origin + (await pages())[3]);
      await tabTo(page, /^Run$/);
      await page.keyboard.press("Enter");
      // The driver is quicker than the browser opens it.
      await page.waitForFunction(() => document.activeElement?.closest("details[open]"));
      await page.keyboard.press("Tab");
      assert.match((await focusedText(page)) ?? "", /^Run \d+ safe tests$/);
    });

    test("a date field takes what is typed, and its calendar beside it writes the same", async () => {
      const { page } = tab;
      await page.goto(portal.origin + (await pages())[7]);
      const readField = () =>
        page.evaluate(() => document.querySelector<HTMLInputElement>("input[name='from']")?.value);
      await page.waitForFunction(() => document.querySelector("button[hidden], span[hidden] > button") === null);
      await page.evaluate(() => document.querySelector<HTMLInputElement>("input[name='from']")?.select());
      await page.keyboard.type("2027-01-02 03:04");
      assert.equal(await readField(), "2027-01-02 03:04");
      await page.keyboard.press("Tab");
      assert.match((await focusedText(page)) ?? "", /^Choose from a calendar: From/);
      // The browser's calendar is outside the page: what it is opened with, and what it writes, is what can be tested.
      await page.evaluate(() => {
        const native = document.querySelector<HTMLInputElement>("input[type='datetime-local']")!;
        native.showPicker = () => {
          native.dataset.openedWith = native.value;
        };
      });
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        () => document.querySelector<HTMLElement>("input[type='datetime-local']")?.dataset.openedWith,
      );
      const openedWith = await page.evaluate(() => {
        const native = document.querySelector<HTMLInputElement>("input[type='datetime-local']")!;
        const { openedWith } = native.dataset;
        native.value = "2027-02-03T04:05";
        native.dispatchEvent(new Event("input", { bubbles: true }));
        return openedWith;
      });
      assert.deepEqual([openedWith, await readField()], ["2027-01-02T03:04", "2027-02-03 04:05"]);
    });

    test("the JSON editor takes what is typed, and Tab leaves it", async () => {
      const { page } = tab;
      await page.goto(portal.origin + (await pages())[4]);
      await page.waitForFunction(() => document.querySelector(".cm-content"));
      await page.evaluate(() => (document.querySelector(".cm-content") as HTMLElement).focus());
      await page.keyboard.down("Control");
      await page.keyboard.press("a");
      await page.keyboard.up("Control");
      await page.keyboard.type('{"name": 3}');
      const typed = await page.evaluate(
        () => document.querySelector<HTMLTextAreaElement>("[name='request.body.json']")?.value,
      );
      assert.equal(typed, '{"name": 3}');
      await page.waitForFunction(() => document.querySelector(".cm-lintRange"));
      await page.keyboard.press("Tab");
      assert.ok(await page.evaluate(() => !document.activeElement?.closest(".cm-editor")));
    });

    test("no page reports a script error", () => {
      assert.deepEqual(tab.faults, []);
    });
  });
}
