import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SecondFactorCard } from "./second-factor-card";

const render = (isRequired: boolean, asksToRequire: boolean) =>
  renderToStaticMarkup(<SecondFactorCard {...{ isRequired, asksToRequire }} />);

test("requiring a second factor needs confirmation, making it optional does not", () => {
  expect(render(false, false)).toContain('href="/organization?dialog=require"');
  expect(render(false, false)).not.toContain("Require a second factor for everyone?");
  expect(render(false, true)).toContain('value="require-second-factor"');
  expect(render(true, true)).toContain('value="allow-password-only"');
  expect(render(true, true)).not.toContain("Require a second factor for everyone?");
});
