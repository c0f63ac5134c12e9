import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RepeatedRows } from "./repeated-rows";

const add = { name: "intent", value: "add" };

test("rows are added and removed by submit buttons that skip validation", () => {
  const rows = [
    { key: "1", fields: null, removeLabel: "Remove header 1", remove: { name: "intent", value: "remove/0" } },
  ];
  const markup = renderToStaticMarkup(<RepeatedRows legend="Headers" addLabel="Add header" add={add} rows={rows} />);
  expect(markup).toMatch(/<button type="submit" formnovalidate="" name="intent" value="remove\/0".*Remove header 1/i);
  expect(markup).toMatch(/<button type="submit" formnovalidate="" name="intent" value="add".*Add header/i);
});

test("an empty list explains what having no rows means", () => {
  const empty = "No headers are sent.";
  expect(
    renderToStaticMarkup(<RepeatedRows legend="Headers" addLabel="Add" add={add} rows={[]} empty={empty} />),
  ).toContain(empty);
});
