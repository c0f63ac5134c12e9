import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SecondFactorCard } from "./second-factor-card";

const displayed = (isRequired: boolean, asksToRequire: boolean) =>
  renderToStaticMarkup(<SecondFactorCard {...{ isRequired, asksToRequire }} />);

test("requiring a second factor needs confirmation, making it optional does not", () => {
  expect(displayed(false, false)).toContain('href="/organization?dialog=require"');
  expect(displayed(false, false)).not.toContain("Require a second factor of everybody?");
  expect(displayed(false, true)).toContain('value="require-second-factor"');
  expect(displayed(true, true)).toContain('value="allow-password-only"');
  expect(displayed(true, true)).not.toContain("Require a second factor of everybody?");
});
