import { expect, test } from "vitest";
import { type Block, renderEmail } from "./email.ts";

const write = (blocks: Block[], subject = "Subject") =>
  renderEmail({ to: { address: "a@example.org" }, subject, blocks });

test("both parts have the same content, and the text part shows the address of a button", () => {
  const { text, html } = write([
    { kind: "paragraph", text: "First line.\nSecond line." },
    { kind: "button", name: "Open", href: "https://portal.example.com/x?token=1&a=2" },
    { kind: "code", code: "012345" },
    { kind: "quote", text: "Their\nwords" },
    { kind: "note", text: "A note." },
  ]);
  expect(text).toBe(
    "First line.\nSecond line.\n\nOpen:\nhttps://portal.example.com/x?token=1&a=2\n\n    012345\n\n> Their\n> words\n\nA note.\n\n-- \nAPI Assurance\n",
  );
  for (const words of ["First line.<br>Second line.", "012345", "Their<br>words", "A note."]) {
    expect(html).toContain(words);
  }
  expect(html.match(/href="https:\/\/portal\.example\.com\/x\?token=1&amp;a=2"/g)).toHaveLength(2);
});

test("a note's address is a link, on its own line in the text part", () => {
  const { text, html } = write([
    { kind: "note", text: "To end these, open:", href: "https://x.example/end?token=1&a=2" },
  ]);
  expect(text).toContain("To end these, open:\nhttps://x.example/end?token=1&a=2\n");
  expect(html).toContain('href="https://x.example/end?token=1&amp;a=2"');
});

test("user input appears in the HTML part as text", () => {
  const hostile = `<img src=x onerror="alert(1)">'&amp;`;
  for (const kind of ["paragraph", "quote", "note"] as const) {
    const { html } = write([{ kind, text: hostile }], hostile);
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;amp;");
  }
});

test("a state is an edge with a sign and a word before the title, in the text part too", () => {
  const { text, html } = renderEmail({
    ...{ to: { address: "a@example.org" }, subject: "Orders <fail>", blocks: [{ kind: "note", text: "A note." }] },
    state: { tone: "danger", word: "Incident" },
  });
  expect(text).toMatch(/^✕ Incident\nOrders <fail>\n\nA note\./);
  expect(html).toMatch(/<td width="4" bgcolor="#c62828"[\s\S]*✕ Incident[\s\S]*<h1[^>]*>Orders &lt;fail&gt;<\/h1>/);
  expect(write([{ kind: "note", text: "A note." }]).html).not.toContain("<table");
});

test("T06: a subject is one line", () => {
  expect(write([], "Welcome\r\nBcc: evil@example.net\u0000Anne ").subject).toBe("Welcome Bcc: evil@example.net Anne");
});
