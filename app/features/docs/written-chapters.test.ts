import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { chapters } from "./chapters";
import { findChapter, searchChapters } from "./written-chapters.server";

test("every chapter is written, with a title", () => {
  for (const { key, file } of chapters) {
    expect(existsSync(`docs/${file}`), file).toBe(true);
    expect(findChapter(key)?.title).not.toBe("");
  }
});

test("every link between chapters leads to a chapter and a heading that exist", () => {
  const broken = chapters.flatMap(({ key }) => {
    const { html } = findChapter(key)!;
    const links = [...html.matchAll(/href="(?:\/docs\/([\w-]+))?(?:#([^"]+))?"/g)];
    return links.flatMap(([link, target = key, fragment]) => {
      const ids = [...(findChapter(target)?.html ?? "").matchAll(/id="([^"]+)"/g)].map(([, id]) => id);
      return findChapter(target) && (!fragment || ids.includes(fragment)) ? [] : [`${key}: ${link}`];
    });
  });
  expect(broken).toEqual([]);
});

test("a search finds sections by all of its words, headings first", () => {
  const [first] = searchChapters("quiet hours");
  expect(first).toMatchObject({ chapter: { key: "alerts" }, section: { heading: "Alert rules", id: "alert-rules" } });
  expect(searchChapters("Maintenance WINDOWS")[0]!.section.heading).toBe("Maintenance windows");
  expect(searchChapters("quiet hours nosuchword")).toEqual([]);
  expect(searchChapters("   ")).toEqual([]);
});

test("a file that is not served is no link", () => {
  for (const { key } of chapters) expect(findChapter(key)!.html).not.toMatch(/href="[^"]*\.md/);
});

test("what is wider than the page can be scrolled by keyboard, and no heading of a column is empty", () => {
  for (const { key } of chapters) {
    const { html } = findChapter(key)!;
    expect(html, key).not.toMatch(/<pre><code(?![^>]*tabindex)|<table>|<th[^>]*><\/th>/);
  }
});
