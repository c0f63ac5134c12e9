import { expect, test } from "vitest";
import { compareIncidents } from "./status-update.ts";

const displayed = [
  { circleId: "a", name: "Catalogue" },
  { circleId: "b", name: "Payments" },
];
const incident = (id: string, ...circleIds: string[]) => ({ id, title: `Incident ${id}`, circleIds });

test("an incident is reported when it opens, when other circles are affected, and when it is over", () => {
  expect(compareIncidents([], [incident("1", "b")], displayed)).toEqual([
    { kind: "opened", title: "Incident 1", text: "Affects Payments." },
  ]);
  expect(compareIncidents([incident("1", "b")], [incident("1", "b", "a")], displayed)).toEqual([
    { kind: "changed", title: "Incident 1", text: "Now affects Catalogue, Payments." },
  ]);
  expect(compareIncidents([incident("1", "a", "b")], [incident("1", "b", "a")], displayed)).toEqual([]);
  expect(compareIncidents([incident("1", "b")], [], displayed)).toEqual([
    { kind: "resolved", title: "Resolved: Incident 1", text: "" },
  ]);
});

test("a page with one circle names none", () => {
  expect(compareIncidents([], [incident("1", "a")], displayed.slice(0, 1))).toMatchObject([{ text: "" }]);
});
