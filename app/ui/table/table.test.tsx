import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Table, type TableProps } from "./table";

interface City {
  name: string;
  people: number;
}

const cities: TableProps<City> = {
  caption: "Cities",
  rowKey: (city) => city.name,
  rows: [{ name: "Oslo", people: 709_000 }],
  columns: [
    {
      key: "name",
      header: "Name",
      rowHeader: true,
      cell: (city) => city.name,
      sort: { href: "?sort=-name", direction: "ascending" },
    },
    { key: "people", header: "People", numeric: true, cell: (city) => city.people, sort: { href: "?sort=people" } },
    { key: "actions", header: "Actions", headerHidden: true, cell: () => null },
  ],
};

const render = (changes: Partial<TableProps<City>> = {}) => renderToStaticMarkup(<Table {...cities} {...changes} />);

test("only the sorted column has a direction, and each header links to its next order", () => {
  const markup = render();
  expect(markup.match(/aria-sort="\w+"/g)).toEqual(['aria-sort="ascending"']);
  expect(markup.match(/href="[^"]+"/g)).toEqual(['href="?sort=-name"', 'href="?sort=people"']);
});

test("a stacked value has its header as a label, the row's name and buttons do not", () => {
  expect(render().match(/data-label="[^"]+"/g)).toEqual(['data-label="People"']);
});

test("a hidden caption still names the table", () => {
  expect(render({ captionHidden: true })).toMatch(/<caption><span[^>]*>Cities<\/span><\/caption>/);
});

const many = Array.from({ length: 11 }, (_, index) => ({ name: `City ${index}`, people: index }));

test("a table of more rows than ten can be skipped by keyboard, to a target behind it", () => {
  expect(render({ rows: many.slice(1) })).not.toContain("Skip");
  const markup = render({ rows: many });
  const [, target] = /<a href="#([^"]+)"[^>]*>Skip 11 rows</.exec(markup)!;
  expect(markup.indexOf(`<span id="${target}" tabindex="-1"`)).toBeGreaterThan(markup.indexOf("</table>"));
});

test("rows of a group follow each other under its name", () => {
  const rows = ["Oslo", "Bergen", "Paris", "Narvik"].map((name) => ({ name, people: 1 }));
  const markup = render({ rows, groupOf: ({ name }) => (name === "Paris" ? "France" : "Norway") });
  expect(markup.match(/<th scope="row(group)?"[^>]*>[^<]+/g)?.map((cell) => cell.replace(/.*>/, ""))).toEqual([
    ...["Norway", "Oslo", "Bergen", "Narvik"],
    ...["France", "Paris"],
  ]);
});
