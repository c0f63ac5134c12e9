import type { Hono } from "hono";
import { notThere, Refusal } from "./refusal.ts";
import type { Sandbox } from "./sandbox.ts";
import { webhookEvent } from "./shapes.ts";
import { eventBody, signatureInput, verifySignature } from "./webhooks.ts";

/** The bytes of `webhook_event` in a verification request: everything between its key and the end of the object. */
function eventIn(body: string): string | undefined {
  const start = /"webhook_event"\s*:/.exec(body);
  const end = body.lastIndexOf("}");
  return start ? body.slice(start.index + start[0].length, end).trim() : undefined;
}

/** `/v1/notifications`: verifying signatures, listing events and sending them again. */
export function serveNotifications(app: Hono, { documents, webhooks, clock, wake }: Sandbox): void {
  app.post("/v1/notifications/verify-webhook-signature", async (c) => {
    const body = await c.req.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(body);
    } catch {
      throw new Refusal(400, [
        { issue: "MALFORMED_REQUEST_JSON", description: "The request JSON is not well formed." },
      ]);
    }
    const input = signatureInput.safeParse(parsed);
    // The event comes last, as written by clients that splice its bytes in.
    const event = eventIn(body);
    if (!input.success || event === undefined)
      throw new Refusal(400, [{ issue: "MISSING_REQUIRED_PARAMETER", description: "A required field is missing." }]);
    const holds = await documents.change((opened) => verifySignature(opened, webhooks(), input.data, event));
    return c.json({ verification_status: holds ? "SUCCESS" : "FAILURE" });
  });

  app.get("/v1/notifications/webhooks-events", async (c) => {
    const [from, to] = [c.req.query("start_time"), c.req.query("end_time")].map((text) =>
      text ? new Date(text) : undefined,
    );
    const events = await documents.change((opened) => opened.list("event", webhookEvent));
    const displayed = events
      .filter(({ create_time }) => (!from || new Date(create_time) >= from) && (!to || new Date(create_time) <= to))
      .map((event) => JSON.parse(eventBody(event)));
    return c.json({ events: displayed, count: displayed.length, links: [] });
  });

  app.post("/v1/notifications/webhooks-events/:id/resend", async (c) => {
    const again = await documents.change(async (opened) => {
      const event = await opened.find("event", webhookEvent, c.req.param("id"));
      if (!event) throw notThere();
      await opened.put("event", event.id, { ...event, tries: 0, due: clock.now().toISOString() });
      return event;
    });
    wake();
    return c.json(JSON.parse(eventBody(again)), 202);
  });
}
