import { expect, test } from "vitest";
import type { CodePlan, PlannedChange } from "#contracts/code/plans.ts";
import { openTerminal } from "../report/terminal.ts";
import { diffLines } from "./diff-lines.ts";
import { toMarkdown } from "./plan-reports.ts";
import { toWebAddress } from "./provenance.ts";
import { listSecrets } from "./secrets.ts";
import { writePlan } from "./write-plan.ts";

const change = (given: Partial<PlannedChange>): PlannedChange => ({
  ...{ kind: "circle", key: "nightly", name: "Every night", action: "change", changedIn: "files" },
  ...{ fields: [], portalFields: [], secrets: [] },
  ...given,
});
const plan: CodePlan = {
  version: "1",
  items: [
    change({ kind: "test", parent: "shop", key: "list", name: "List | books", action: "create" }),
    change({
      fields: [
        { path: "order", before: "sequential", after: "parallel" },
        { path: "assertions[1].targetJson", before: "9.10", after: "9007199254740993" },
        { path: "description", before: "One\nTwo\nThree", after: "One\nZwei\nThree" },
      ],
    }),
    change({
      ...{ key: "daily", changedIn: "both", fields: [{ path: "name", before: "Day", after: "Daily" }] },
      portalFields: [{ path: "name", before: "D", after: "Day" }],
    }),
    change({ kind: "alertChannel", key: "ops", name: "Ops", action: "delete", changedIn: "portal" }),
  ],
  counts: { create: 1, change: 2, delete: 1, unchanged: 5_004 },
  ...{ missingSecrets: ["SLACK"], missingDocuments: [] },
};

function show(prune: boolean): string {
  let shown = "";
  const stream = { write: (text: string) => (shown += text) } as unknown as NodeJS.WriteStream;
  writePlan(openTerminal(stream), plan, { objects: [], prune });
  return shown;
}

test("a plan says each field before and after, what changed in the portal, and what only the portal has", () => {
  expect(show(false)).toBe(`+ test shop/list  List | books
~ circle nightly  Every night
    order: "sequential" → "parallel"
    assertions[1].target: 9.10 → 9007199254740993
    description:
        One
      - Two
      + Zwei
        Three
~ circle daily  Every night
    name: "Day" → "Daily"
    ! changed in the portal: name: "D" → "Day"; here, too: applying overwrites it

Only in the portal; --prune deletes it, and pull writes it
  alert channel ops  Ops  ! created in the portal

1 to create, 2 to change; 5,004 objects are the same.
`);
  expect(show(true)).toContain("\nDeleted, since no file has it\n- alert channel ops  Ops");
  expect(show(true)).toContain("1 to create, 2 to change, 1 to delete; ");
});

test("a comment of a pull request has the plan as a table that no name breaks", () => {
  const markdown = toMarkdown(plan, false);
  expect(markdown).toContain("### Assurance as code: 1 to create, 2 to change; 5,004 objects are the same.\n");
  expect(markdown).toContain("| Created | test shop/list<br><sub>List \\| books</sub> |  |");
  expect(markdown).toContain("**1 object changed in the portal**");
  expect(markdown).toContain("1 object only in the portal");
});

test("of two texts the lines that differ are shown", () => {
  expect(diffLines("a\nb\nc\nd", "a\nb\nd")).toEqual(["  b", "- c", "  d"]);
  expect(diffLines("a", "a\nb")).toEqual(["  a", "+ b"]);
  expect(diffLines("", Array.from({ length: 50 }, (_, at) => at).join("\n")).at(-1)).toBe("and 11 more lines");
});

test("the address of a repository has no credentials", () => {
  expect(toWebAddress("https://user:secret@git.example.com/shop/assurance.git")).toBe(
    "https://git.example.com/shop/assurance",
  );
  expect(toWebAddress("git@git.example.com:shop/assurance.git")).toBe("https://git.example.com/shop/assurance");
  expect(toWebAddress("ssh://git@git.example.com:22/shop/assurance")).toBe("https://git.example.com/shop/assurance");
  expect(toWebAddress("/srv/git/assurance.git")).toBe("");
  expect(toWebAddress("")).toBe("");
});

test("secrets are named by circles and channels, not by what a test expects", () => {
  const secret = { secret: "SHOP_PASSWORD" };
  expect(
    listSecrets([
      { kind: "circle", key: "a", value: { variables: [{ name: "password", value: secret }] } },
      { kind: "alertChannel", key: "b", value: { url: { secret: "SLACK" } } },
      { kind: "test", parent: "shop", key: "c", value: { assertions: [{ target: { secret: "OTHER" } }] } },
    ]),
  ).toEqual(["SHOP_PASSWORD", "SLACK"]);
});
