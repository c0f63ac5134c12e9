import { Ajv } from "ajv";
import { expect, test } from "vitest";
import type { AlertIncident, AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import { templateValueNames } from "#contracts/test-analyzer/template-values.ts";
import { writePagerDuty } from "./pager-duty.ts";
import { sampleMessages } from "./samples.ts";
import { writeTelegram } from "./telegram.ts";
import { getTemplateValues } from "./template-values.ts";

const origin = "https://portal.example.com";

/**
 * The request body of createV2Event in PagerDuty's OpenAPI document "PagerDuty V2 Events API" 2.0
 * (github.com/PagerDuty/api-schema, reference/events-v2), with the lengths that its reference gives in words.
 */
const pagerDutyEvent = {
  type: "object",
  required: ["routing_key", "event_action"],
  additionalProperties: false,
  properties: {
    routing_key: { type: "string" },
    event_action: { enum: ["trigger", "acknowledge", "resolve"] },
    dedup_key: { type: "string", minLength: 1, maxLength: 255 },
    client: { type: "string" },
    client_url: { type: "string" },
    payload: {
      type: "object",
      required: ["summary", "severity", "source"],
      additionalProperties: false,
      properties: {
        summary: { type: "string", minLength: 1, maxLength: 1_024 },
        timestamp: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d" },
        severity: { enum: ["critical", "warning", "error", "info"] },
        source: { type: "string", minLength: 1 },
        component: { type: "string" },
        group: { type: "string" },
        class: { type: "string" },
        custom_details: { type: "object" },
      },
    },
    links: {
      type: "array",
      items: {
        type: "object",
        required: ["href"],
        additionalProperties: false,
        properties: { href: { type: "string", pattern: "^https://" }, text: { type: "string" } },
      },
    },
  },
} as const;
const isEvent = new Ajv({ strict: true, allErrors: true }).compile(pagerDutyEvent);

const sample = (kind: AlertMessage["kind"]) => sampleMessages().find((message) => message.kind === kind)!;
function changed(message: AlertMessage, changes: Partial<AlertIncident>): AlertMessage {
  return { ...message, incidents: message.incidents.map((incident) => ({ ...incident, ...changes })) };
}

test("each kind of alert is an event as PagerDuty publishes them, however long its texts are", () => {
  const long = { title: "x".repeat(3_000), incidents: sample("opened").incidents };
  for (const message of [...sampleMessages(), { ...sample("opened"), ...long }]) {
    const event = JSON.parse(writePagerDuty(message, origin, "key"));
    expect(isEvent(event), JSON.stringify(isEvent.errors)).toBe(true);
  }
});

test("what opens, is repeated and is resolved is one alert in PagerDuty, and another cause is another one", () => {
  const [opened, reminder, resolved] = (["opened", "reminder", "recovered"] as const).map((kind) =>
    JSON.parse(writePagerDuty(changed(sample(kind), { causeKey: "a cause" }), origin, "key")),
  );
  expect([opened, reminder, resolved].map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
    ["trigger", "a cause"],
    ["trigger", "a cause"],
    ["resolve", "a cause"],
  ]);
  const [burning, steady] = (["burning", "steady"] as const).map((kind) =>
    JSON.parse(writePagerDuty(sample(kind), origin, "key")),
  );
  expect([burning.event_action, steady.event_action]).toEqual(["trigger", "resolve"]);
  expect(steady.dedup_key).toBe(burning.dedup_key);
  expect(burning.dedup_key).not.toBe(opened.dedup_key);
});

test("an event has the alert's sentences and the links of the incident", () => {
  const { payload, links, client_url } = JSON.parse(writePagerDuty(sample("opened"), origin, "key"));
  expect(payload).toMatchObject({ severity: "error", source: "Bookshop", component: "Checkout, every morning" });
  expect(payload.custom_details.what).toContain("Expected status code 200, got 503.");
  expect(links[0].text).toBe("Open and acknowledge the incident");
  expect(client_url).toBe(links[0].href);
  const host = changed(sample("opened"), { cause: { kind: "host", host: "api.example.com" } });
  expect(JSON.parse(writePagerDuty(host, origin, "key")).payload.source).toBe("api.example.com");
});

/** Telegram counts characters after entities are read. */
const visible = (html: string) => html.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot);/g, "x");

test("a message to Telegram has at most 4,096 characters, and text of users and targets is no markup", () => {
  const [incident] = sample("opened").incidents;
  const incidents = Array.from({ length: 10 }, (_, index) => ({
    ...incident!,
    title: `<a href="https://evil.example">${index}</a>`,
    reason: `<b>&amp; ${"y".repeat(5_000)}`,
  }));
  const { text, ...rest } = JSON.parse(writeTelegram({ ...sample("opened"), incidents }, origin, "-100123"));
  expect(rest).toEqual({ chat_id: "-100123", parse_mode: "HTML", link_preview_options: { is_disabled: true } });
  expect(visible(text).length).toBeLessThanOrEqual(4_096);
  expect(text).toContain("&lt;a href=&quot;https://evil.example&quot;&gt;0&lt;/a&gt;");
  const tags = [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
  expect(new Set(tags.map((tag) => tag.replace(/href=".*"/, "href")))).toEqual(
    new Set(["<b>", "</b>", "<a href>", "</a>"]),
  );
  expect(tags.filter((tag) => tag.startsWith("<a ")).every((tag) => tag.startsWith(`<a href="${origin}/`))).toBe(true);
});

test("a template has a value for each of its names, and a test has examples of all", () => {
  for (const message of sampleMessages()) {
    expect(Object.keys(getTemplateValues(message, origin)).sort()).toEqual([...templateValueNames].sort());
  }
  expect(getTemplateValues(sample("opened"), origin)).toMatchObject({
    type: "incident.opened",
    "incident.cause": "test",
    "incident.failing": 1,
    "incident.resolvedAt": null,
    "test.method": "GET",
    "test.api": "Bookshop",
  });
  expect(getTemplateValues(sample("certificate"), origin)).toMatchObject({ "incident.id": null, severity: "high" });
  expect(getTemplateValues(sample("test"), origin)).toMatchObject({ type: "test", "test.path": "/books/{bookId}" });
});
