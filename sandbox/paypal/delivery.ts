import type { Logger } from "pino";
import type { Sandbox } from "./sandbox.ts";
import { dueEvents, eventBody, noteDelivery, signDelivery } from "./webhooks.ts";

const answerMilliseconds = 10_000;

/** Sends one request; resolves with its status, or undefined without a response. */
export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<number | undefined>;

export const postByFetch: Post = async (url, headers, body) => {
  try {
    const signal = AbortSignal.timeout(answerMilliseconds);
    return (await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" })).status;
  } catch {
    return undefined;
  }
};

/** Delivers each due event to each webhook, one after the other. */
export async function deliverDue(sandbox: Sandbox, post: Post, log: Pick<Logger, "debug">): Promise<void> {
  const { documents, faults, clock, webhooks, places } = sandbox;
  const due = await documents.change((opened) => dueEvents(opened, faults, clock.now()));
  for (const event of due) {
    const body = eventBody(event);
    let arrived = true;
    for (const webhook of webhooks()) {
      if (faults.webhooks("drop")) continue;
      const headers = await documents.change((opened) =>
        signDelivery(opened, webhook, faults.webhooks("forge") ? `${body} ` : body, clock.now(), places().base),
      );
      const status = await post(webhook.url, headers, body);
      log.debug({ event: event.event_type, status }, "webhook sent");
      if (!status || status < 200 || status > 299) arrived = false;
    }
    await documents.change((opened) => noteDelivery(opened, event.id, arrived, clock.now()));
  }
}
