import { refuse } from "../diagnostics.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The bytes of a document as text. @throws UnusableDocument naming what they are instead of UTF-8 text. */
export function decodeDocument(bytes: Uint8Array, file = ""): string {
  if (bytes.length === 0) refuse("The document is empty.", { file, line: 1, column: 1 });
  refuseOtherFormats(bytes, file);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    const at = positionOfBadByte(bytes);
    refuse("The document is not UTF-8 text: there is a byte that UTF-8 does not allow. Save the file as UTF-8.", {
      file,
      ...at,
    });
  }
  if (/^\s*$/.test(text.slice(0, 1_000)) && text.trim() === "") {
    refuse("The document is empty: it holds only white space.", { file, line: 1, column: 1 });
  }
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    const before = text.slice(0, nul);
    refuse("The document has a NUL character in it, so it is not a text file. Save it as UTF-8 text.", {
      file,
      line: before.split("\n").length,
      column: nul - before.lastIndexOf("\n"),
    });
  }
  if (/^\s*<(!doctype|html|\?xml|[a-z])/i.test(text.slice(0, 500))) {
    refuse(
      "This is a web page or XML, not an OpenAPI document. Enter the address of the JSON or YAML file itself; documentation pages usually link to it.",
      { file, line: 1, column: 1 },
    );
  }
  return text;
}

function refuseOtherFormats(bytes: Uint8Array, file: string): void {
  const [first, second, third, fourth] = bytes;
  const at = { file, line: 1, column: 1 };
  if (first === 0x1f && second === 0x8b) refuse("The file is compressed (gzip). Unpack it first.", at);
  if (first === 0x50 && second === 0x4b && third === 3 && fourth === 4) {
    refuse("The file is a ZIP archive. Unpack it, and give the document with the files it refers to.", at);
  }
  if (first === 0x25 && second === 0x50 && third === 0x44 && fourth === 0x46) refuse("The file is a PDF.", at);
  const isUtf16 =
    (first === 0xfe && second === 0xff) ||
    (first === 0xff && second === 0xfe) ||
    (first === 0 && second !== 0) ||
    (first !== 0 && second === 0 && bytes.length > 3);
  if (isUtf16) refuse("The document is UTF-16 or UTF-32 text. Save it as UTF-8.", at);
}

/** Bisects the text to the first byte that cannot be decoded. */
function positionOfBadByte(bytes: Uint8Array): { line: number; column: number } {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  const before = new TextDecoder().decode(bytes.subarray(0, good));
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}
