import { expect, test } from "vitest";
import { describeBrowser } from "./browser-words.ts";

test("browsers are distinguished although they all claim to be each other", () => {
  const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)";
  expect(describeBrowser(`Mozilla/5.0 (Windows NT 10.0; Win64) ${webKit} Chrome/130.0 Safari/537.36 Edg/130.0`)).toBe(
    "Edge on Windows",
  );
  expect(describeBrowser(`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/130.0 Safari/537.36`)).toBe(
    "Chrome on Linux",
  );
  expect(describeBrowser("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0")).toBe(
    "Firefox on macOS",
  );
  expect(
    describeBrowser(`Mozilla/5.0 (iPhone; CPU iPhone OS 18 like Mac OS X) ${webKit} Version/18 Safari/604.1`),
  ).toBe("Safari on iOS");
});

test("an unknown user agent is named by its first word, an empty one has no name", () => {
  expect(describeBrowser("curl/8.5.0")).toBe("curl");
  expect(describeBrowser("")).toBe("Unknown");
});
