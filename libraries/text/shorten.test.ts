import { expect, test } from "vitest";
import { shorten, shortenBefore } from "./shorten.ts";

test("a text that fits stays as it is", () => {
  expect(shorten("Lists books", 11)).toBe("Lists books");
});

test("a longer one ends before a word that does not fit", () => {
  expect(shorten("Lists all books of the shop", 20)).toBe("Lists all books of…");
  expect(shorten("Lists all books", 10)).toBe("Lists all…");
});

test("a word is cut where no space is near", () => {
  expect(shorten("a verylongwordwithoutanyspace", 20)).toBe("a verylongwordwitho…");
  expect(shorten("/books/{bookId}/price", 10)).toBe("/books/{b…");
});

test("no character is cut, however many code points it has", () => {
  const family = "👨‍👩‍👧‍👦";
  for (const [text, length] of [
    [`abc${family}def`, 8],
    ["cafe\u0301 and more", 5],
    ["😀😀😀😀", 4],
  ] as const) {
    const cut = shorten(text, length);
    expect(cut.length).toBeLessThanOrEqual(length);
    expect([...new Intl.Segmenter("en").segment(text)].map(({ segment }) => segment).join("|")).toContain(
      [...new Intl.Segmenter("en").segment(cut.slice(0, -1))].map(({ segment }) => segment).join("|"),
    );
  }
  expect(shorten(`abc${family}def`, 8)).toBe("abc…");
});

test("it never exceeds the limit, with any length and any text", () => {
  const texts = ["x".repeat(300), "ab cd ".repeat(60), "é ".repeat(200), `${"a\u0300\u0301".repeat(120)}`];
  for (const text of texts) {
    for (let length = 2; length < 200; length += 1) expect(shorten(text, length).length).toBeLessThanOrEqual(length);
  }
});

test("an ending is kept whole", () => {
  expect(shortenBefore("Lists all books of the shop", " (copy)", 27)).toBe("Lists all books of… (copy)");
  expect(shortenBefore("Lists", " (copy)", 27)).toBe("Lists (copy)");
});
