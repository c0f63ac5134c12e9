import { expect, test } from "vitest";
import type { AlertIncident, AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import { writeDiscord, writeGoogleChat } from "./chats.ts";

const origin = "https://portal.example.com";

function createIncident(title: string, reason: string): AlertIncident {
  const id = "0198c1f4-7a3e-7c41-9d55-3f0a6b2c8e10";
  return {
    ...{ id, title, severity: "high", cause: { kind: "test", testId: id }, unsteady: false, resolvedAt: null, reason },
    ...{ since: "2026-11-29T05:00:00.000Z", failing: 1, tests: [], runId: id, apiId: id },
  };
}

function createMessage(incidents: AlertIncident[]): AlertMessage {
  return { kind: "opened", title: "Books fail", at: "2026-11-29T05:00:00.000Z", severity: "high", incidents, more: 0 };
}

test("Discord gets at most ten embeds of 6,000 characters in all, however long the reasons are", () => {
  const incidents = Array.from({ length: 10 }, (_, index) =>
    createIncident(`Test ${index} ${"t".repeat(300)}`, "*".repeat(5_000)),
  );
  const { content, embeds } = JSON.parse(writeDiscord(createMessage(incidents), origin)) as {
    content: string;
    embeds: { title?: string; description: string }[];
  };
  const characters = embeds.reduce((sum, { title = "", description }) => sum + title.length + description.length, 0);
  expect(characters).toBeLessThanOrEqual(6_000);
  expect(content.length).toBeLessThanOrEqual(2_000);
  expect(embeds.length).toBeGreaterThan(3);
  for (const { title = "", description } of embeds) {
    expect(title.length).toBeLessThanOrEqual(256);
    expect(description).toContain("(https://portal.example.com/test-management/incidents/");
  }
});

test("in a card of Google Chat text stays text, and links lead to the portal", () => {
  const message = createMessage([createIncident("Books", "got <b>500</b> & <users/all>")]);
  const { cardsV2 } = JSON.parse(writeGoogleChat(message, origin)) as {
    cardsV2: { card: { sections: { widgets: Record<string, unknown>[] }[] } }[];
  };
  const [text, buttons] = cardsV2[0]!.card.sections[0]!.widgets;
  expect(JSON.stringify(text)).toContain("got &lt;b&gt;500&lt;/b&gt; &amp; &lt;users/all&gt;");
  expect(JSON.stringify(buttons)).toContain(`"url":"${origin}/test-management/incidents/`);
});
