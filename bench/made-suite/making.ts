import type { FormPage } from "../../tests/support/form-page.ts";
import type { Visitor } from "./visitor.ts";

/** What a person does between opening the page "Generate tests" and the first run. */
export interface Making {
  clicks: number;
  fields: number;
  /** What the page said where it went another way than to a run. */
  remarks: string[];
}

/** For the operations of all pages, or else of this one. */
const starting = [/^create and run circles of all/i, /^create all\b.*\brun/i, /^create and run/i];
/** Of a confirmation, the last one. */
const confirming = /\brun\b/i;
const continuing = "Continue";
const maxSteps = 50;

/**
 * Presses "Create and run …" with everything as it is ticked, then what a confirmation offers, and without script also
 * "Continue" between the steps of large documents.
 */
export async function makeSuite(visitor: Visitor, apiId: string): Promise<Making> {
  const making: Making = { clicks: 0, fields: 0, remarks: [] };
  const page = await visitor.open(`/test-management/${apiId}/tests/make`);
  if (page.status !== 200) throw new Error(`${page.address} answered ${page.status}: ${page.text}`);
  const button = starting.flatMap((words) => page.buttons().find((name) => words.test(name)) ?? [])[0];
  if (!button) {
    making.remarks.push(`there is no button to create and run: ${page.buttons().join(", ")}`);
    return making;
  }
  let result = await page.submit(button);
  making.clicks += 1;
  for (let step = 0; step < maxSteps && isSamePage(result, page); step++) {
    const next = result.buttonsIn("dialog").findLast((name) => confirming.test(name));
    const pressed = next ?? result.buttons().find((name) => name === continuing);
    if (!pressed) break;
    result = await result.submit(pressed);
    making.clicks += 1;
  }
  const alert = result.alert();
  if (result.status !== 200 || alert || isSamePage(result, page))
    making.remarks.push(`${result.status} at ${result.address}: ${alert || result.heading}`);
  return making;
}

const isSamePage = (one: FormPage, other: FormPage) => one.url.pathname === other.url.pathname;
