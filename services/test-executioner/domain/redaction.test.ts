import { expect, test } from "vitest";
import { createRedactor, redacted } from "./redaction.ts";

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

/** Five characters in a row of any encoding would let a reader begin to guess. */
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
    expect(text, name).toMatch(/^before .* after$/);
  }
});

test("H09: of the pure encodings no piece is left", () => {
  const redactor = createRedactor([{ secret, username }])!;
  const bytes = Buffer.from(secret, "utf8");
  for (const encoded of [secret, encodeURIComponent(secret), bytes.toString("hex"), bytes.toString("base64")]) {
    expect(leaks(redactor.text(encoded), encoded)).toBe(false);
  }
});

test("H09: at every alignment inside longer base64 at most the two border characters stay", () => {
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

test("a value is searched through, names included", () => {
  const redactor = createRedactor([{ secret: "s3cr3t-value" }])!;
  expect(redactor.value({ a: ["s3cr3t-value", 1, null], "s3cr3t-value": { b: "x s3cr3t-value" } })).toEqual({
    a: [redacted, 1, null],
    [redacted]: { b: `x ${redacted}` },
  });
});

test("a secret cut off at the end of a text goes too", () => {
  const redactor = createRedactor([{ secret: "s3cr3t-value" }])!;
  expect(redactor.cutText("body s3cr3t-v")).toBe(`body ${redacted}`);
  expect(redactor.cutText("body s3")).toBe("body s3");
  expect(redactor.cutText("body")).toBe("body");
});

test("without secrets there is no redactor", () => {
  expect(createRedactor([])).toBeUndefined();
  expect(createRedactor([{ secret: "" }])).toBeUndefined();
});

test("characters with a meaning in patterns are searched for as they are", () => {
  const redactor = createRedactor([{ secret: "a.b*c[d" }])!;
  expect(redactor.text("aXb*c[d a.b*c[d")).toBe(`aXb*c[d ${redacted}`);
});
