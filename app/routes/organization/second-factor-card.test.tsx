import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SecondFactorCard } from "./second-factor-card";

const shown = (isRequired: boolean, asksToRequire: boolean) =>
  renderToStaticMarkup(<SecondFactorCard {...{ isRequired, asksToRequire }} />);

test("a second factor is required after asking, and left to everybody without", () => {
  expect(shown(false, false)).toContain('href="/organization?dialog=require"');
  expect(shown(false, false)).not.toContain("Require a second factor of everybody?");
  expect(shown(false, true)).toContain('value="require-second-factor"');
  expect(shown(true, true)).toContain('value="allow-password-only"');
  expect(shown(true, true)).not.toContain("Require a second factor of everybody?");
});
