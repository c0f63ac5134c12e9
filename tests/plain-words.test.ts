import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** What people read: pages, emails, problems, alerts, logs, and the descriptions of our own API. */
const folders = ["app", "services", "libraries", "contracts", "cli", "server", "sandbox"];
const notRead = /\.(test|spec)\.tsx?$|\/testing\/|\/store\/|migration|\.css\.ts$/;

/** Roots by which a reader knows that a sentence was not written by a native speaker, and what to write instead. */
const forbidden: [RegExp, string][] = [
  [/\b(nobody|somebody|everybody|anybody|whoever)\b/i, "no one, someone, everyone, anyone"],
  [/\banew\b/i, "again"],
  [/\bany more\b(?! (than|executions|members|tests))/i, "no longer"],
  [/\bat once\b/i, "immediately"],
  [/\bmeanwhile\b/i, "in the meantime, or nothing"],
  [/\b(go|goes|going|went) on\b/i, "continue"],
  [/\be-mail/i, "email"],
  [/\bmail(ed|s)? (me|you|us|them)\b/i, "email"],
  [/\bletters? (about|is|are|that|which|to you)\b/i, "email"],
  [/\bone (a|to a|on a) line\b/i, "one per line"],
  [/\b(un)?tick(ed|s)?\b/i, "select"],
  [/\b(by|of) hand\b/i, "manually"],
  [/\b(is|are|was|were) gone\b/i, "removed, deleted, no longer exists"],
  [/\bhow it stands\b|\bstands? (here|there|beside|behind|for all|in (letters|its))\b/i, "is, or the status"],
  [/\b(it|rule|which|that) counts (for|here|until|from|in|at)\b/i, "applies"],
  [/\bis answered\b|\banswered (with|by|\d)/i, "respond, return"],
  [/\b(by|via|per) mail\b|\bsend mail\b|\btest mails?\b/i, "email"],
  [/\bGive (a|an|one|either|at most|values|identifiers|the role)\b|\bgives? (you )?(a|no) role\b/, "enter, or assign"],
  [/\bas in [a-z{A-Z_]+[-_/:.{]/, "e.g."],
  [/\bbad results?\b(?! divided|, below)/i, "N of M executions failed"],
  [/\bthat answers?\b/i, "respond"],
  [/\btold (that|of|by mail|by email)\b/i, "notified"],
  [/\bnothing may\b|\bnone given, none\b/i, "say it with a subject"],
];

interface Text {
  where: string;
  text: string;
}

function listTexts(file: string): Text[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, kind);
  const texts: Text[] = [];
  const add = (node: ts.Node, text: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    texts.push({ where: `${file}:${line + 1}`, text: text.replace(/\s+/g, " ").trim() });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) add(node, node.text);
    if (ts.isTemplateExpression(node)) {
      add(node, node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(""));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.filter(
    ({ text }) => text.includes(" ") && !/\b(select|update|insert|delete|with)\b .*\b(from|set|into|as)\b/.test(text),
  );
}

const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.tsx?$/.test(name) && !notRead.test(name)),
);
const texts = files.flatMap(listTexts);

test("texts are found in every folder", () => {
  for (const folder of folders) expect(texts.some(({ where }) => where.startsWith(`${folder}/`))).toBe(true);
  expect(texts.length).toBeGreaterThan(5_000);
});

test("no text has a root that a native speaker would not write", () => {
  const found = texts.flatMap(({ where, text }) =>
    forbidden.flatMap(([root, better]) => {
      const match = root.exec(text);
      return match ? [`${where} "${match[0]}" (write: ${better}): ${text.slice(0, 140)}`] : [];
    }),
  );
  expect(found).toEqual([]);
});
