import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Ago } from "./ago";

const times = { value: "2026-11-21T14:00:00.000Z", now: "2026-11-21T14:05:00.000Z" };

test("a relative time contains the exact time and its zone, and is focusable to display it", () => {
  const markup = renderToStaticMarkup(<Ago {...times} />);
  expect(markup.replace(/<[^>]+>/g, "")).toBe("5 min ago, 21 Nov 2026, 14:00:00 UTC");
  expect(markup).toMatch(/^<time(?=[^>]*tabindex="0")(?=[^>]*datetime="2026-11-21T14:00:00.000Z")/i);
});

test("within a link only the link is focusable", () => {
  expect(renderToStaticMarkup(<Ago {...times} inLink />)).not.toMatch(/tabindex/i);
});
