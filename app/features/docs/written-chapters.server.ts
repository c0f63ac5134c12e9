import { posix } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import { href } from "~/href";
import { type Chapter, chapters } from "./chapters";

const files = import.meta.glob<string>(["../../../docs/**/*.md", "!../../../docs/decisions/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});

export interface Section {
  /** Of its heading; undefined before the first. */
  id: string | undefined;
  heading: string;
  text: string;
}

export interface WrittenChapter {
  chapter: Chapter;
  title: string;
  html: string;
  sections: Section[];
}

const written = new Map<string, WrittenChapter>();

/** A chapter as HTML, with an id on each heading. Links between chapters lead to their pages. */
export function findChapter(key: string): WrittenChapter | undefined {
  const chapter = chapters.find((one) => one.key === key);
  const source = chapter && files[`../../../docs/${chapter.file}`];
  if (!chapter || source === undefined) return undefined;
  const known = written.get(key) ?? write(chapter, source);
  written.set(key, known);
  return known;
}

export interface FoundSection {
  chapter: Chapter;
  section: Section;
  excerpt: string;
}

const maxFound = 30;
const excerptLength = 160;

/** Sections that contain every word of the query, those whose headings do first. */
export function searchChapters(query: string): FoundSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length === 0) return [];
  const scored = chapters.flatMap(({ key }) => {
    const found = findChapter(key);
    return (found?.sections ?? []).flatMap((section) => {
      const heading = `${found!.title} ${section.heading}`.toLowerCase();
      const text = `${heading} ${section.text}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) return [];
      const score = words.filter((word) => heading.includes(word)).length;
      return [{ score, found: { chapter: found!.chapter, section, excerpt: toExcerpt(section.text, words) } }];
    });
  });
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, maxFound)
    .map(({ found }) => found);
}

function toExcerpt(text: string, words: readonly string[]): string {
  const at = Math.min(
    ...words.map((word) => text.toLowerCase().indexOf(word)).filter((index) => index >= 0),
    text.length,
  );
  const from = at === text.length ? 0 : Math.max(0, text.lastIndexOf(" ", Math.max(0, at - 40)) + 1);
  const cut = text.slice(from, from + excerptLength);
  return `${from > 0 ? "… " : ""}${cut}${from + excerptLength < text.length ? " …" : ""}`;
}

function write(chapter: Chapter, source: string): WrittenChapter {
  const parser = new MarkdownIt({ html: false, linkify: false });
  const tokens = parser.parse(source, {});
  const [opening, inline] = tokens;
  const hasTitle = opening?.type === "heading_open" && opening.tag === "h1";
  const title = hasTitle ? toText(inline!) : chapter.label;
  const body = hasTitle ? tokens.slice(3) : tokens;
  const sections = splitSections(title, body);
  for (const token of body.flatMap((one) => [one, ...(one.children ?? [])])) {
    if (token.type === "link_open") leadLink(token, chapter.file);
    // What is wider than the page scrolls, also by keyboard.
    if (["fence", "code_block", "table_open"].includes(token.type)) token.attrSet("tabindex", "0");
  }
  for (const [index, token] of body.entries()) {
    // The corner of a table is no heading of its column.
    const isEmpty = token.type === "th_open" && body[index + 1]?.content === "";
    if (isEmpty) for (const cell of body.slice(index, index + 3)) if (cell.tag === "th") cell.tag = "td";
  }
  return { chapter, title, html: parser.renderer.render(body, parser.options, {}), sections };
}

function splitSections(title: string, tokens: readonly Token[]): Section[] {
  const sections: Section[] = [{ id: undefined, heading: title, text: "" }];
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = toText(tokens[index + 1]!);
      const id = toId(heading);
      token.attrSet("id", id);
      if (token.tag === "h2") sections.push({ id, heading, text: "" });
    } else if (token.type === "inline" || token.type === "fence") {
      const section = sections.at(-1)!;
      section.text = `${section.text} ${toText(token)}`.trim();
    }
  }
  return sections;
}

const toText = (token: Token): string =>
  token.children
    ? token.children.map((child) => child.content || (child.type === "softbreak" ? " " : "")).join("")
    : token.content;

/** As GitHub forms it, so that a link works in both. */
const toId = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replace(/ /g, "-");

/** A link to another chapter leads to its page; one to a file that is not served is kept as text. */
function leadLink(token: Token, file: string): void {
  const target = String(token.attrGet("href"));
  if (/^(https?:|#|\/)/.test(target)) return;
  const [path = "", fragment] = target.split("#");
  const chapter = chapters.find((one) => one.file === posix.join(posix.dirname(file), path));
  if (chapter)
    token.attrSet("href", `${href("/docs/:chapter", { chapter: chapter.key })}${fragment ? `#${fragment}` : ""}`);
  else token.attrs = [];
}
