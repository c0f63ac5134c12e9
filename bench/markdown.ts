/**
 * The cost of a hostile description for the serving thread: 100,000 characters of every single ASCII character, of every
 * pair of significant ones, and of pieces known to slow Markdown parsers down. Each may take at most 50 ms
 * of a core; so may a page of 300 of the worst.
 *
 *     npm run bench:markdown
 */
import { createMarkdownRenderer, renderMarkdown } from "../app/ui/markdown/markdown.ts";

const length = 100_000;
const maxMilliseconds = 50;
const syntax = [..."*_`~<>&[]!|\\\n\r()#:@=+-.\"'/ a1"];

const singles = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const pairs = syntax.flatMap((first) => syntax.map((second) => first + second));
const pieces = ["<a ", "<b>", "</b>", "<!--", "<?", "<![CDATA[", "![](", "[](", "[a](b", "![[]()", "[a]: b\n", "[[]()"]
  .concat(["&amp;", "&#x", "http://a.b/(", "www.a.", "a.b@", "|a|\n|-|\n", "\n> - ", "a\n=\n", "``a `", '<a href="'])
  .concat(["***a ", "a**b", "~~a", "```\n", "- a\n", "1. ", "\n#", "\n\n", "<img src=x>", "![a](b) ", "http://a "]);
const texts: [name: string, text: string][] = [
  ...[...singles, ...pairs, ...pieces].map((piece): [string, string] => [JSON.stringify(piece), fill(piece)]),
  ["a letter, repeated, and an @", `${"a".repeat(length - 1)}@`],
  ["runs of backticks, each longer", Array.from({ length: 440 }, (_, index) => "`".repeat(index)).join("a")],
  ["brackets opened, then closed", "[".repeat(length / 2) + "]".repeat(length / 2)],
  ["images within images", `${"![".repeat(length / 4)}a${"](b)".repeat(length / 8)}`],
  ["a wide table of many rows", `${fill("a|", 40_000)}\n${fill("-|", 40_000)}\n${fill("|\n", 20_000)}`],
  ["ordinary writing", fill("The **id** of a [pet](https://example.com/pets), as `shown` on its tag & collar.\n\n")],
];

function fill(piece: string, characters = length): string {
  return piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters);
}

/** Of this process only, best of two: other load on the machine is not the parser's. */
function cost(work: () => unknown): number {
  const one = () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  return Math.min(one(), one());
}

for (let round = 0; round < 20; round += 1) renderMarkdown(texts.at(-1)![1]);
const costs = texts.map(([name, text]) => ({ name, milliseconds: cost(() => renderMarkdown(text)) }));
costs.sort((a, b) => b.milliseconds - a.milliseconds);
for (const { name, milliseconds } of costs.slice(0, 12)) print(milliseconds, name);
const worst = texts.find(([name]) => name === costs[0]!.name)![1];
const page = cost(() => {
  const render = createMarkdownRenderer();
  for (let index = 0; index < 300; index += 1) render(worst);
});
print(page, `a page of 300 descriptions of ${costs[0]!.name}`, 3 * maxMilliseconds);
process.stdout.write(`${texts.length} texts of ${length} characters\n`);
if (costs[0]!.milliseconds > maxMilliseconds) process.exitCode = 1;

function print(milliseconds: number, name: string, limit = maxMilliseconds): void {
  const held = milliseconds <= limit ? "ok  " : "OVER";
  process.stdout.write(`${held} ${milliseconds.toFixed(1)} ms (at most ${limit}) ${name}\n`);
}
