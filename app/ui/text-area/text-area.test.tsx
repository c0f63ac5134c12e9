import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TextArea } from "./text-area";

const toRows = (lines: number, rows?: number) =>
  renderToStaticMarkup(
    <TextArea label="Body" name="body" code rows={rows} defaultValue={"x\n".repeat(lines - 1)} />,
  ).match(/rows="(\d+)"/)?.[1];

test("code shows all its lines up to 24, and at least the requested ones", () => {
  expect(toRows(2)).toBe("4");
  expect(toRows(11)).toBe("11");
  expect(toRows(500)).toBe("24");
  expect(toRows(500, 30)).toBe("30");
});
