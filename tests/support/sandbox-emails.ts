import { setTimeout as pause } from "node:timers/promises";
import type { RunningPortal } from "./portal-process.ts";

const row = /<a href="(\/sandbox\/mail\/[\w-]+)">([^<]*)<\/a>.*?<td[^>]*>([^<]*)<\/td>/gs;

async function read(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return await response.text();
}

/** Path of the newest email to an address with a matching subject; waits for it. */
export async function findNewestEmailPath(
  portal: Pick<RunningPortal, "origin">,
  address: string,
  subject: RegExp,
): Promise<string> {
  for (;;) {
    const list = await read(`${portal.origin}/sandbox/mail`);
    const found = [...list.matchAll(row)].find(([, , said = "", to]) => to === address && subject.test(said));
    if (found?.[1]) return found[1];
    await pause(100);
  }
}

/** Its HTML. */
export async function findNewestEmail(
  portal: Pick<RunningPortal, "origin">,
  address: string,
  subject: RegExp,
): Promise<string> {
  return await read(`${portal.origin}${await findNewestEmailPath(portal, address, subject)}/html`);
}
