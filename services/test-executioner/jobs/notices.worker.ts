import { parentPort } from "node:worker_threads";
import { createAjvValidator } from "#libraries/judging/schema/ajv-validator.ts";
import { createMarkupReader } from "#libraries/xpath/document.ts";
import { findStoredNotices, type StoredNotices, type StoredPass } from "./stored-notices.ts";

export type NoticesAnswer = { found: StoredNotices } | { error: string };

/** What has not been tried by then is left out. */
const maxMilliseconds = 3_000;

const port = parentPort!;
const evaluators = { schemas: createAjvValidator(), markup: createMarkupReader() };

port.on("message", (stored: StoredPass) => {
  const until = performance.now() + maxMilliseconds;
  try {
    const found = findStoredNotices(stored, { ...evaluators, isOver: () => performance.now() > until });
    port.postMessage({ found } satisfies NoticesAnswer);
  } catch (error) {
    port.postMessage({ error: String(error) } satisfies NoticesAnswer);
  }
});
