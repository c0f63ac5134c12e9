import type { FormPage } from "../../tests/support/form-page.ts";
import type { Visitor } from "./visitor.ts";

/** What a person does between opening the page "Make tests" and the first run. */
export interface Making {
  clicks: number;
  fields: number;
  /** What the page said where it went another way than to a run. */
  remarks: string[];
}

const toRun = /^(create|make) (all \d+ )?and run/i;
/** A confirmation's primary button stands last. */
const confirmed = /\brun\b/i;
const maxConfirmations = 3;

/**
 * Presses "Create and run …" on every page of operations, with everything as it is ticked, and what a confirmation offers.
 */
export async function makeSuite(visitor: Visitor, apiId: string): Promise<Making> {
  const making: Making = { clicks: 0, fields: 0, remarks: [] };
  const seen = new Set<string>();
  let address: string | undefined = `/test-management/${apiId}/tests/make`;
  while (address) {
    const page: FormPage = await visitor.open(address);
    if (page.status !== 200) throw new Error(`${page.address} answered ${page.status}: ${page.text}`);
    seen.add(cursorIn(page.url));
    const next: URL | undefined = page.links().find((link) => isFurther(link, page.url) && !seen.has(cursorIn(link)));
    await press(page, making);
    if (next) making.clicks += 1;
    address = next?.href;
  }
  return making;
}

const cursorIn = ({ searchParams }: URL) => searchParams.get("cursor") ?? "";
const isFurther = (link: URL, { pathname }: URL) => link.pathname === pathname && cursorIn(link) !== "";

async function press(page: FormPage, making: Making): Promise<void> {
  const button = page.buttons().find((name) => toRun.test(name));
  if (!button) {
    making.remarks.push(`no button to create and run; there are: ${page.buttons().join(", ")}`);
    return;
  }
  making.clicks += 1;
  let result = await page.submit(button);
  for (let count = 0; count < maxConfirmations && result.url.pathname === page.url.pathname; count++) {
    const dialog = result.buttonsIn("dialog");
    const confirm = dialog.findLast((name) => confirmed.test(name));
    if (!confirm) break;
    making.clicks += 1;
    result = await result.submit(confirm);
  }
  const alert = result.alert();
  if (result.status !== 200 || alert || result.url.pathname === page.url.pathname)
    making.remarks.push(`${result.status} at ${result.address}: ${alert || result.heading}`);
}
