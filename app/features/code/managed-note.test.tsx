import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ManagedNote } from "./managed-note";

const managed = {
  ...{ repository: "https://git.example.com/shop", commit: "4f2a9c1d8e7b6a5c", appliedAt: "2026-03-01T12:00:00.000Z" },
  isDrifted: false,
};

test("what files hold names their repository and commit, and nothing is shown for anything else", () => {
  const shown = renderToStaticMarkup(<ManagedNote managed={managed} />);
  expect(shown).toContain('href="https://git.example.com/shop"');
  expect(shown).toContain("4f2a9c1d8e7b");
  expect(renderToStaticMarkup(<ManagedNote managed={undefined} />)).toBe("");
});

test("a repository that is no web address is no link", () => {
  const repository = "javascript:alert(1)";
  expect(renderToStaticMarkup(<ManagedNote managed={{ ...managed, repository }} />)).not.toContain("href=");
});

test("what was changed here since leads to the list of what differs", () => {
  const shown = renderToStaticMarkup(<ManagedNote managed={{ ...managed, isDrifted: true }} />);
  expect(shown).toContain('href="/organization/code"');
});
