import fc from "fast-check";
import { expect, test } from "vitest";
import { maximumMarkdownLength, renderMarkdown } from "./markdown.ts";

test.each([
  ["<script>alert(1)</script>", /script|alert/],
  ["<img src=x onerror=alert(1)>", /onerror|<img/],
  ["![x](javascript:alert(1))", /javascript/],
  ["[x](javascript:alert(1))", /javascript/],
  ["[x](  JaVaScRiPt:alert(1))", /javascript/i],
  ["[x](java&#x09;script:alert(1))", /href/],
  ["<a href='vbscript:x'>x</a>", /vbscript/],
  ["[x](data:text/html,<script>alert(1)</script>)", /href/],
  ["<svg><script>alert(1)</script></svg>", /svg|script/],
  ["<math><mtext></p><style><img src onerror=alert(1)></style></mtext></math>", /onerror|<style|<math/],
  ["<iframe srcdoc='<script>alert(1)</script>'></iframe>", /iframe|srcdoc/],
  ["<form action=//evil><input name=password></form>", /<form|<input/],
  ["<p style='position:fixed' class=x id=main onclick=x>a</p>", /style|class|id=|onclick/],
  ["<base href=//evil><meta http-equiv=refresh content=0>", /<base|<meta/],
  ["<object data=x></object><embed src=x>", /<object|<embed/],
  ["<button form=f formaction=javascript:x>x</button>", /<button|formaction/],
  ["]]><script>alert(1)</script>", /<script/],
  [
    "{{constructor.constructor('alert(1)')()}}<noscript><p title='</noscript><img src onerror=alert(1)>'>",
    /onerror|<img/,
  ],
])("O09: nothing of %s runs", (source, forbidden) => {
  expect(renderMarkdown(source)).not.toMatch(forbidden);
});

test("O09: whatever the text, only listed elements and attributes come out", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<",
      ">",
      '"',
      "'",
      "/",
      "=",
      "script",
      "img",
      "svg",
      "onerror",
      "javascript:",
      "](",
      "![",
      "`",
      "&#",
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const html = renderMarkdown(pieces.join(""));
      for (const [tag] of html.matchAll(/<[a-z][^>]*>/gi))
        expect(tag).toMatch(/^<[a-z0-9]+(?: (?:href|rel|start|colspan|rowspan)="[^"]*")*(?: \/)?>$/);
    }),
    { numRuns: 500 },
  );
});

test("a link leads outside and vouches for nothing", () => {
  expect(renderMarkdown("[docs](https://example.com/a?b=1&c=2)")).toBe(
    '<p><a href="https://example.com/a?b=1&amp;c=2" rel="noopener noreferrer nofollow">docs</a></p>',
  );
});

test.each(["[x](/signout)", "[x](//evil.example)", "[x](#main)", "[x](../admin)"])("%s is no link", (source) => {
  expect(renderMarkdown(source)).toBe("<p><span>x</span></p>");
});

test("an image becomes a link, so that nothing is fetched", () => {
  expect(renderMarkdown("![logo](https://example.com/logo.png)")).toBe(
    '<p><a href="https://example.com/logo.png" rel="noopener noreferrer nofollow">logo</a></p>',
  );
});

test("headings stand below the page's own", () => {
  expect(renderMarkdown("# One\n\n## Two", { topHeadingLevel: 4 })).toBe("<h4>One</h4>\n<h5>Two</h5>");
  expect(renderMarkdown("<h1>One</h1>")).toBe("<h3>One</h3>");
});

test("text without markup costs no parsing and reads the same", () => {
  expect(renderMarkdown("The id of a pet, as shown on its tag.")).toBe("<p>The id of a pet, as shown on its tag.</p>");
  expect(renderMarkdown("1. first")).toContain("<ol>");
  expect(renderMarkdown("- first")).toContain("<ul>");
  expect(renderMarkdown("a < b")).toBe("<p>a &lt; b</p>");
  expect(renderMarkdown("  ")).toBe("");
});

test("tables of GitHub's Markdown are kept", () => {
  expect(renderMarkdown("| a | b |\n|---|---|\n| 1 | 2 |")).toContain("<td>1</td>");
});

test.each([
  ["brackets", "[", 100_000],
  ["emphasis", "*a_", 33_000],
  ["elements", "<b>", 33_000],
  ["quotes", "> ", 50_000],
  ["lists", "- ", 50_000],
  ["backticks", "`a", 50_000],
  ["strikes", "~~a", 33_000],
])("hostile %s end in time", (_name, piece, count) => {
  expect(renderMarkdown(piece.repeat(count)).length).toBeLessThan(8 * maximumMarkdownLength);
});

test("text that is not parsed for its cost is still only text", () => {
  expect(renderMarkdown(`<script>${"*a_".repeat(1_000)}`)).toMatch(/^<p>&lt;script&gt;\*a_/);
});

test("a description beyond the limit is cut", () => {
  expect(renderMarkdown(`**x** ${"y".repeat(2 * maximumMarkdownLength)}`).length).toBeLessThan(
    maximumMarkdownLength + 100,
  );
});
