import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EntryProvider } from "~/shell/entry-script";
import { HumanCheck, type HumanCheckProps } from "./human-check";

const render = (check: HumanCheckProps["check"], errors?: string[]) =>
  renderToStaticMarkup(
    <EntryProvider module="/entry.js" nonce="n0nce">
      <HumanCheck check={check} id="form-recaptchaToken" errors={errors} />
    </EntryProvider>,
  );

test("a proof of work is a field that stays empty without script", () => {
  const markup = render({ kind: "proofOfWork", challenge: { parameters: {} } });
  expect(markup).toContain('data-island="human-check"');
  expect(markup).toContain('<input type="hidden" name="recaptchaToken"/>');
});

test("W04: a provider's script carries the page's nonce", () => {
  const markup = render({ kind: "provider", siteKey: "key", scriptUrl: "https://check.example/api.js" });
  expect(markup).toContain('<script src="https://check.example/api.js" nonce="n0nce"');
  expect(markup).toContain('data-sitekey="key"');
});

test("without a check nothing is rendered, and the error of a check is linked from the summary", () => {
  expect(render(undefined)).toBe('<div id="form-recaptchaToken" tabindex="-1"></div>');
  expect(render(undefined, ["The check did not hold."])).toMatch(/id="form-recaptchaToken".*The check did not hold\./s);
});
