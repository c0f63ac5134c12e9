import fc from "fast-check";
import { expect, test } from "vitest";
import { repetitions } from "../../tests/support/endurance.ts";
import { ExactNumber } from "../json/exact-number.ts";
import { createRedactor, redacted, withheld } from "./redactor.ts";

const secret = 'k3y/+"ü&§-very secret?%';
const username = "ana";

function listEncodings(): Record<string, string> {
  const bytes = Buffer.from(secret, "utf8");
  const wrap = (before: string, after: string) => Buffer.from(`${before}${secret}${after}`, "utf8");
  return {
    plain: secret,
    json: JSON.stringify({ secret }),
    "json with escaped slashes": JSON.stringify(secret).replace(/\//g, "\\/"),
    "json in ASCII": JSON.stringify(secret).replace(
      /[^\0-\x7f]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
    "json in json": JSON.stringify(JSON.stringify(secret)),
    url: encodeURIComponent(secret),
    "url in lower case": encodeURIComponent(secret).toLowerCase(),
    "url twice": encodeURIComponent(encodeURIComponent(secret)),
    form: new URLSearchParams({ secret }).toString(),
    "every byte url-encoded": [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    html: secret.replace(/&/g, "&amp;").replace(/"/g, "&quot;"),
    hex: bytes.toString("hex"),
    "hex in upper case": bytes.toString("hex").toUpperCase(),
    base64: bytes.toString("base64"),
    base64url: bytes.toString("base64url"),
    "base64, url-encoded": encodeURIComponent(bytes.toString("base64")),
    "base64 after one byte": wrap("x", "tail").toString("base64"),
    "base64 after two bytes": wrap("xy", "tail").toString("base64"),
    "base64 after three bytes": wrap("xyz", "t").toString("base64"),
    "base64url after one byte": wrap("x", "tail").toString("base64url"),
    "Basic pair": `Basic ${Buffer.from(`${username}:${secret}`).toString("base64")}`,
    "upper case": secret.toUpperCase(),
  };
}

/** Five consecutive characters in any encoding would let a reader start to guess. */
function leaks(text: string, encoded: string): boolean {
  for (let index = 0; index + 8 <= encoded.length; index += 1) {
    const piece = encoded.slice(index, index + 8);
    if (text.includes(piece)) return true;
  }
  return false;
}

test("H09: a secret is found in every encoding", () => {
  const redactor = createRedactor([{ secret, username }])!;
  for (const [name, encoded] of Object.entries(listEncodings())) {
    const text = redactor.text(`before ${encoded} after`);
    expect(text, name).toContain(redacted);
    expect(text, name).toMatch(/^before .*after$/);
  }
});

test("H09: no piece remains of the pure encodings", () => {
  const redactor = createRedactor([{ secret, username }])!;
  const bytes = Buffer.from(secret, "utf8");
  for (const encoded of [secret, encodeURIComponent(secret), bytes.toString("hex"), bytes.toString("base64")]) {
    expect(leaks(redactor.text(encoded), encoded)).toBe(false);
  }
});

test("H09: at every alignment inside longer base64 at most the two border characters remain", () => {
  const plain = "canary-1234567890-secret";
  const redactor = createRedactor([{ secret: plain }])!;
  for (let before = 0; before < 9; before += 1) {
    for (let after = 0; after < 4; after += 1) {
      const encoded = Buffer.from("x".repeat(before) + plain + "y".repeat(after)).toString("base64");
      const text = redactor.text(encoded);
      expect(text).toContain(redacted);
      expect(Buffer.from(text.replace(redacted, ""), "base64").toString("latin1")).not.toMatch(/anary|secre|1234/);
    }
  }
});

test("a value is searched completely, names included", () => {
  const redactor = createRedactor([{ secret: "s3cr3t-value" }])!;
  expect(redactor.value({ a: ["s3cr3t-value", 1, null], "s3cr3t-value": { b: "x s3cr3t-value" } })).toEqual({
    a: [redacted, 1, null],
    [redacted]: { b: `x ${redacted}` },
  });
});

const wrapAt = (text: string, columns: number, lineBreak: string) =>
  text.match(new RegExp(`.{1,${columns}}`, "gs"))?.join(lineBreak) ?? "";
const toHex = (bytes: Buffer, separator: string, prefix = "") =>
  [...bytes].map((byte) => prefix + byte.toString(16).padStart(2, "0")).join(separator);
const charsets: Record<string, (text: string) => Buffer> = {
  utf8: (text) => Buffer.from(text, "utf8"),
  latin1: (text) => Buffer.from(text, "latin1"),
  utf16le: (text) => Buffer.from(text, "utf16le"),
  utf16be: (text) => Buffer.from(text, "utf16le").swap16(),
};
const bytesAsText: Record<string, (bytes: Buffer) => string> = {
  "taken for UTF-8": (bytes) => bytes.toString("utf8"),
  "taken for Latin-1": (bytes) => bytes.toString("latin1"),
  percent: (bytes) => toHex(bytes, "", "").replace(/../g, "%$&"),
  hex: (bytes) => bytes.toString("hex"),
  "hex with colons": (bytes) => toHex(bytes, ":").toUpperCase(),
  "hex with spaces": (bytes) => toHex(bytes, " "),
  "hex with 0x": (bytes) => toHex(bytes, ", ", "0x"),
  "hex in 76 columns": (bytes) => wrapAt(bytes.toString("hex"), 76, "\n"),
  "\\x": (bytes) => toHex(bytes, "", "\\x"),
  base64: (bytes) => bytes.toString("base64"),
  base64url: (bytes) => bytes.toString("base64url"),
  "base64 in 76 columns": (bytes) => wrapAt(bytes.toString("base64"), 76, "\r\n"),
  "base64 in short lines": (bytes) => wrapAt(bytes.toString("base64"), 5, "\n  "),
  "base64 in JSON in lines": (bytes) => JSON.stringify(wrapAt(bytes.toString("base64"), 9, "\r\n")),
  "base64 of base64": (bytes) => Buffer.from(bytes.toString("base64")).toString("base64"),
  "base64 of hex": (bytes) => Buffer.from(bytes.toString("hex")).toString("base64"),
  "hex of base64": (bytes) => Buffer.from(bytes.toString("base64")).toString("hex"),
  "quoted-printable": (bytes) => wrapAt(toHex(bytes, "", "=").toUpperCase(), 75, "=\r\n"),
};
const textAsText: Record<string, (text: string) => string> = {
  json: (text) => JSON.stringify(text),
  "json in json in json": (text) => JSON.stringify(JSON.stringify(JSON.stringify(text))),
  "json with every unit escaped": (text) =>
    [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  url: encodeURIComponent,
  "url three times": (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
  form: (text) => new URLSearchParams({ text }).toString(),
  "decimal entities": (text) => [...text].map((one) => `&#${one.codePointAt(0)};`).join(""),
  "hex entities": (text) => [...text].map((one) => `&#x${one.codePointAt(0)!.toString(16)};`).join(""),
  "named entities": (text) =>
    text.replace(
      /[&<>"'ü§é]/g,
      (one) =>
        ({
          "&": "&amp;",
          "<": "&lt;",
          ">": "&gt;",
          '"': "&quot;",
          "'": "&apos;",
          ü: "&uuml;",
          "§": "&sect;",
          é: "&eacute;",
        })[one]!,
    ),
};

/** Whether eight consecutive characters of the secret can be decoded from the rest. */
function remains(text: string, secret: string, encode: (text: string) => string): boolean {
  const encoded = encode(secret);
  const nines = [...secret].slice(8).map((_, at) => encode([...secret].slice(at, at + 9).join("")).length);
  // With a digit or a line break at either end, which reveal nothing.
  const piece = Math.max(...nines) + 10;
  if (encoded.length < piece) return false;
  for (let at = 0; at + piece <= encoded.length; at += 1) if (text.includes(encoded.slice(at, at + piece))) return true;
  return false;
}

const anySecret = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(..."abcxyzABCXYZ0123456789") },
      fc.constantFrom(..."-_.~/+=&%<>\"' !?§üé"),
    ),
    {
      minLength: 12,
      maxLength: 60,
    },
  )
  .map((characters) => characters.join(""))
  // A secret that repeats one letter would match wherever that letter is repeated.
  .filter((text) => new Set(text).size > 6 && text.trim() === text);

test("H09: for any secret, encoding and cut, no part of eight characters remains", () => {
  const byBytes = Object.entries(charsets).flatMap(([charset, toBytes]) =>
    Object.entries(bytesAsText).map(([name, write]): [string, (text: string) => string] => [
      `${charset} ${name}`,
      (text) => write(toBytes(text)),
    ]),
  );
  const encodings = [...byBytes, ...Object.entries(textAsText)];
  fc.assert(
    fc.property(
      anySecret,
      fc.constantFrom(...encodings),
      fc.string({ maxLength: 20 }),
      fc.string({ maxLength: 20 }),
      fc.nat(1_000),
      fc.nat(1_000),
      (input, [, encode], before, after, from, length) => {
        const redactor = createRedactor([{ secret: "another one entirely" }, { secret: input }])!;
        const encoded = encode(input);
        for (const echoed of [encoded, encoded.slice(from % encoded.length).slice(0, length)]) {
          expect(remains(redactor.text(`${before}\n${echoed}\n${after}`), input, encode)).toBe(false);
        }
      },
    ),
    { numRuns: repetitions(800, 20_000) },
  );
});

test("H09: an eight-character part of a secret is hidden, a shorter one remains", () => {
  const redactor = createRedactor([{ secret: "s3cr3t-value" }])!;
  expect(redactor.text("body s3cr3t-v")).toBe(`body ${redacted}`);
  expect(redactor.text("body s3cr3t")).toBe("body s3cr3t");
});

test("H09: a short secret is hidden as a whole, and in the pair it is sent in", () => {
  const redactor = createRedactor([{ secret: "abc", username: "ana" }])!;
  expect(redactor.text("abc %61bc abd")).toBe(`${redacted} ${redacted} abd`);
  expect(redactor.text(`Basic ${Buffer.from("ana:abc").toString("base64")}`)).toMatch(/^Basic \[secret\]=*$/);
});

test("a secret of multi-byte letters is found in a text of single-byte ones", () => {
  expect(createRedactor([{ secret: "日本" }])!.text("日本")).toBe(redacted);
  expect(createRedactor([{ secret: "日本語" }])!.text("日本語")).toBe(redacted);
});

test("text before a secret remains, also where the two together look like an escape", () => {
  for (const known of ["34c0ffee34c0ffee", "3d3130d6229d41b8", "25360af53bafed17"]) {
    const { text } = createRedactor([{ secret: known }])!;
    for (const name of ["Signature=", "100%"]) expect(text(`${name}${known}; a`)).toBe(`${name}[secret]; a`);
  }
  // A real escape is part of the secret.
  expect(createRedactor([{ secret: "4c0ffeebad01" }])!.text("a=34c0ffeebad01")).toBe("a[secret]");
});

test("numbers that equal or contain a secret are hidden, others remain numbers", () => {
  const redactor = createRedactor([{ secret: "12345678" }])!;
  expect(redactor.value({ pin: 12345678, long: new ExactNumber("9912345678.0"), other: 1234 })).toEqual({
    pin: redacted,
    long: `99${redacted}.0`,
    other: 1234,
  });
});

test("H09: a text encoded too many times is withheld, with a note", () => {
  const redactor = createRedactor([{ secret: "s3cr3t-value" }])!;
  expect(redactor.text(`%252525=3D3D3D ${"61".repeat(1_000)}`)).toBe(withheld);
  expect(redactor.text(`%252525=3D3D3D ${"61 is fine. ".repeat(1_000)}`)).not.toBe(withheld);
});

test("without secrets there is no redactor", () => {
  expect(createRedactor([])).toBeUndefined();
  expect(createRedactor([{ secret: "" }])).toBeUndefined();
});

test("characters with a meaning in patterns are searched for as they are", () => {
  const redactor = createRedactor([{ secret: "a.b*c[d" }])!;
  expect(redactor.text("aXb*c[d a.b*c[d")).toBe(`aXb*c[d ${redacted}`);
});
