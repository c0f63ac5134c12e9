import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { LinkedText } from "./linked-text";

const getMarkup = (text: string) => renderToStaticMarkup(<LinkedText>{text}</LinkedText>);

test("an address in a text is a link, and the full stop after it is not part of it", () => {
  expect(getMarkup("Open https://portal.test/register?token=a_b-c. Then sign in.")).toBe(
    'Open <a href="https://portal.test/register?token=a_b-c" rel="noreferrer">https://portal.test/register?token=a_b-c</a>. Then sign in.',
  );
});

test("O09: only web addresses become links, and markup stays text", () => {
  expect(getMarkup("javascript:alert(1) <a href=x>y</a>")).toBe("javascript:alert(1) &lt;a href=x&gt;y&lt;/a&gt;");
});
