/**
 * The cost of searching for secrets: in an ordinary response with one secret, and in 1 MiB with fifty, for any content.
 *
 *     npm run bench:redaction
 */
import { randomBytes } from "node:crypto";
import { createRedactor, withheld } from "#libraries/redaction/redactor.ts";

const secrets = Array.from({ length: 50 }, () => ({ secret: randomBytes(24).toString("base64url") }));
const one = createRedactor(secrets.slice(0, 1))!;
const fifty = createRedactor(secrets)!;
const mebibyte = 1_048_576;
const pets = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({ id, name: `Pet ${id}`, tag: 'a "good" one', owner: null })),
  );
const fill = (piece: string) => piece.repeat(Math.ceil(mebibyte / piece.length)).slice(0, mebibyte);
const repeat = (times: number, encode: (text: string) => string, text: string): string =>
  times === 0 ? text : repeat(times - 1, encode, encode(text)).slice(0, mebibyte);

const texts: [name: string, limit: number, text: string][] = [
  ["JSON", 300, pets(16_000)],
  ["prose", 300, fill("The quick brown fox jumps over the lazy dog.\n")],
  ["base64", 1_000, randomBytes(mebibyte).toString("base64").slice(0, mebibyte)],
  ["hex", 1_000, randomBytes(mebibyte).toString("hex").slice(0, mebibyte)],
  ["base64 of base64 of base64", 2_000, repeat(3, (text) => Buffer.from(text).toString("base64"), fill("pets "))],
  ["escapes", 1_000, fill("%2525\\u0061&amp;=3D")],
  ["NULs", 1_000, fill("\0")],
  ["one letter", 2_000, fill("a")],
  ["secrets one after the other", 1_000, fill(secrets[0]!.secret)],
  ["secrets of secrets", 1_000, fill(Buffer.from(secrets[0]!.secret).toString("base64"))],
];

/** Of this process only, best of three. */
function cost(work: () => unknown): number {
  const times = [0, 1, 2].map(() => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

function print(milliseconds: number, limit: number, name: string): void {
  const held = milliseconds <= limit;
  if (!held) process.exitCode = 1;
  process.stdout.write(`${held ? "ok  " : "OVER"} ${milliseconds.toFixed(2)} ms (at most ${limit}) ${name}\n`);
}

const ordinary = pets(25);
for (let round = 0; round < 300; round += 1) one.text(ordinary);
print(
  cost(() => Array.from({ length: 100 }, () => one.text(ordinary))) / 100,
  1,
  `${ordinary.length} characters, 1 secret`,
);
print(
  cost(() => createRedactor(secrets.slice(0, 1))),
  2,
  "making a redactor of 1 secret",
);
print(
  cost(() => createRedactor(secrets)),
  50,
  "making a redactor of 50 secrets",
);
for (const [name, limit, text] of texts) {
  let said = "";
  print(
    cost(() => {
      said = fifty.text(text) === withheld ? ", withheld" : "";
    }),
    limit,
    `1 MiB of ${name}, 50 secrets${said}`,
  );
}
