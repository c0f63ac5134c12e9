import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { HeaderList } from "./header-list.tsx";

const render = (count: number) =>
  renderToString(<HeaderList caption="Headers" headers={Array.from({ length: count }, () => ["x", "y"])} />);

test("H05: of ten thousand headers a page shows the first, and the number of the others", () => {
  const html = render(10_000);
  expect(html.match(/<dt/g)).toHaveLength(300);
  expect(html).toContain("9,700");
  expect(render(300)).not.toContain("more are not shown");
});
