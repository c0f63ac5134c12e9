import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MomentField } from "./moment-field";

test("a moment is a field of text that needs no script; the browser's calendar is neither sent nor reached by Tab", () => {
  const markup = renderToStaticMarkup(
    <MomentField label="From" name="from" defaultValue="2026-11-27 22:00" island={{}} />,
  );
  expect(markup).toMatch(/<input type="text"(?=[^>]*name="from")(?=[^>]*value="2026-11-27 22:00")/);
  expect(markup).toMatch(/<span[^>]*hidden=""/);
  expect(markup.match(/name="/g)).toHaveLength(1);
  expect(markup).toMatch(/type="datetime-local" tabindex="-1" aria-hidden="true"/i);
});
