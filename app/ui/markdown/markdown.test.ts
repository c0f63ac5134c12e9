import fc from "fast-check";
import { expect, test } from "vitest";
import { splitAtCost, toParagraphs } from "./cost.ts";
import { createMarkdownRenderer, maximumMarkdownLength, maxMarks, renderMarkdown } from "./markdown.ts";

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

test("O09: only listed elements and attributes are produced, whatever the text", () => {
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

test("links are external only, with a rel attribute that vouches for nothing", () => {
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

test("headings are below the page's own", () => {
  expect(renderMarkdown("# One\n\n## Two", { topHeadingLevel: 4 })).toBe("<h4>One</h4>\n<h5>Two</h5>");
  expect(renderMarkdown("<h1>One</h1>")).toBe("<h3>One</h3>");
});

test("text without markup is not parsed and reads the same", () => {
  expect(renderMarkdown("The id of a pet, as shown on its tag.")).toBe("<p>The id of a pet, as shown on its tag.</p>");
  expect(renderMarkdown("1. first")).toContain("<ol>");
  expect(renderMarkdown("- first")).toContain("<ul>");
  expect(renderMarkdown("a < b")).toBe("<p>a &lt; b</p>");
  expect(renderMarkdown("  ")).toBe("");
});

test("tables of GitHub's Markdown are kept", () => {
  expect(renderMarkdown("| a | b |\n|---|---|\n| 1 | 2 |")).toContain("<td>1</td>");
});

const repeated = [..."*_`~<>&[]!|\\\n\r()#:@=+-.\"'/ a1"].concat(
  ["<a ", "<b>", "> ", "- ", "1. ", "[](", "[a](b", "![[]()", "*a_", "~~a", "`a", "``a `", "[a]: b\n", "|a|\n|-|\n"],
  ["\n#", "a\n=\n", "&amp;", "http://a.b/(", "www.a.", "a.b@", "***a ", "[a](http://b)"],
);

test.each(repeated)("O09: a description of nothing but %j makes a bounded number of elements", (piece) => {
  const html = renderMarkdown(piece.repeat(Math.ceil(maximumMarkdownLength / piece.length)));
  expect(html.match(/<[a-z/]/g)?.length ?? 0).toBeLessThan(6 * maxMarks);
  expect(html.length).toBeLessThan(8 * maximumMarkdownLength);
});

test.each([
  ["a long word and an @", `${"a".repeat(50_000)}@`],
  ["a wide table of many rows", `${"|a".repeat(1_000)}\n${"|-".repeat(1_000)}\n${"|\n".repeat(1_000)}`],
  ["nested images", `${"![".repeat(20_000)}a${"](b)".repeat(10_000)}`],
])("O09: no more of %s is parsed than a description may cost", (_name, text) => {
  const { formatted, cost } = splitAtCost(text, maxMarks);
  expect(cost).toBeLessThanOrEqual(maxMarks);
  if (formatted === "") expect(renderMarkdown(text)).toBe(toParagraphs(text));
});

test("the text after the costliest part of a description is displayed as written", () => {
  const html = renderMarkdown(`# Pets\n\nA **pet**.\n\n${"*a_".repeat(3_000)}<script>\n\nThe *end*.`);
  expect(html).toMatch(/^<h3>Pets<\/h3>\n<p>A <strong>pet<\/strong>\.<\/p>\n<p>\*a_/);
  expect(html).toMatch(/\*a_&lt;script&gt;<\/p>\n<p>The \*end\*\.<\/p>$/);
});

test("the descriptions of one page share the limits of formatting and length", () => {
  const render = createMarkdownRenderer();
  const long = `${"**x** ".repeat(700)}\n\n${"y".repeat(50_000)}`;
  const rendered = Array.from({ length: 100 }, () => render(long));
  expect(rendered[0]).toContain("<strong>");
  expect(rendered.at(-1)).not.toContain("<strong>");
  expect(rendered.join("").length).toBeLessThan(600_000);
  expect(render("What it is.")).toBe("<p>What it is.</p>");
});

test.each([
  ["See https://example.com/a_b (or www.example.com).", "https://example.com/a_b", "http://www.example.com"],
  ["Write to help@example.com.", "mailto:help@example.com"],
  ["(https://example.com/a(b))", "https://example.com/a(b)"],
])("bare addresses in %s become links", (source, ...addresses) => {
  const found = [...renderMarkdown(source).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(found).toEqual(addresses);
});

test("an address within a link or code is not linked again", () => {
  expect(renderMarkdown("[https://a.example](https://b.example) `https://c.example`").match(/<a /g)).toHaveLength(1);
});

test("a description beyond the limit is cut", () => {
  expect(renderMarkdown(`**x** ${"y".repeat(2 * maximumMarkdownLength)}`).length).toBeLessThan(
    maximumMarkdownLength + 100,
  );
});
