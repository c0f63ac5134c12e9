import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { BodyView } from "./body-view.tsx";
import { HeaderList } from "./header-list.tsx";

const hostile = [
  "<script>alert(1)</script>",
  "<svg onload=alert(1)>",
  '"><img src=x onerror=alert(1)>',
  "</pre></code><iframe srcdoc='x'>",
  "]]><script>",
];

test.each(hostile)("H08: %s in a body or header is shown as text", (markup) => {
  const displayed = [
    <BodyView key="text" id="b" label="Body" text={markup} file="/body" />,
    <BodyView key="json" id="b" label="Body" text={JSON.stringify({ [markup]: markup })} file="/body" />,
    <HeaderList key="headers" caption="Headers" headers={[[markup, markup]]} />,
  ].map((view) => renderToString(view));
  for (const html of displayed) {
    expect(html).toContain("&lt;");
    expect(html).not.toMatch(/<(?:script|svg onload|img|iframe)/i);
  }
});

test.each([
  ["line breaks", "\n".repeat(500_000)],
  ["levels", `${"[".repeat(49_000)}${"]".repeat(49_000)}`],
  ["levels of objects", `${'{"a":'.repeat(15_000)}1${"}".repeat(15_000)}`],
  ["items", `[${"[[]],".repeat(18_000)}1]`],
  ["members", JSON.stringify(Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`k${index}`, 1])))],
  ["characters to escape", "<".repeat(500_000)],
])("H10: a body of very many %s makes a page of bounded size", (_name, text) => {
  expect(renderToString(<BodyView id="b" label="Body" text={text} file="/body" />).length).toBeLessThan(500_000);
});
