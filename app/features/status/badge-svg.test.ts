import fc from "fast-check";
import { parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import { badgeKinds, badgeSvg } from "./badge-svg";

const status = { title: "Bookshop", standing: "operational", share30: 0.9995, objective: 99.5 } as PublishedStatus;

test("a badge shows the status, or the success rate of 30 days, in words too", () => {
  expect(badgeSvg(status, "standing")).toContain("<title>Bookshop: operational</title>");
  expect(badgeSvg(status, "standing")).toContain('role="img" aria-label="Bookshop: operational"');
  expect(badgeSvg(status, "availability")).toContain("<title>Bookshop: 99.95 % in 30 days</title>");
  expect(badgeSvg({ ...status, share30: null }, "availability")).toContain("not checked");
});

test("every title is escaped", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
      fc.constantFrom(...badgeKinds),
      (title, kind) => {
        const hostile = `${title}</title><script>alert(1)</script>" onload="x`;
        const names: string[] = [];
        const visit = (node: { name?: string; attribs?: object; children?: unknown[] }): void => {
          if (node.name)
            names.push(node.name, ...Object.keys(node.attribs ?? {}).filter((name) => name.startsWith("on")));
          for (const child of node.children ?? []) visit(child as typeof node);
        };
        visit(parseDocument(badgeSvg({ ...status, title: hostile }, kind), { xmlMode: true }) as never);
        expect(names).toEqual(["svg", "title", "rect", "path", "g", "text", "text"]);
      },
    ),
  );
});
