import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Illustration, type IllustrationName } from "./illustration";
import { illustrationPaths } from "./illustration-paths";

test("a drawing costs a page at most 1 KB, and screen readers pass over it", () => {
  for (const name of Object.keys(illustrationPaths) as IllustrationName[]) {
    const markup = renderToStaticMarkup(<Illustration name={name} />);
    expect(markup.length).toBeLessThanOrEqual(1_024);
    expect(markup).toContain('aria-hidden="true"');
  }
});
