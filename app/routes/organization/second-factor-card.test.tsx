import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SecondFactorCard } from "./second-factor-card";

const shown = (isRequired: boolean, asksToRequire: boolean) =>
  renderToStaticMarkup(<SecondFactorCard {...{ isRequired, asksToRequire }} />);

test("requiring a second factor needs confirmation, making it optional does not", () => {
  expect(shown(false, false)).toContain('href="/organization?dialog=require"');
  expect(shown(false, false)).not.toContain("Require a second factor of everybody?");
  expect(shown(false, true)).toContain('value="require-second-factor"');
  expect(shown(true, true)).toContain('value="allow-password-only"');
  expect(shown(true, true)).not.toContain("Require a second factor of everybody?");
});
