import type { SentRequest } from "#contracts/test-executioner/attempts.ts";
import type { StoredFile } from "#contracts/test-registry/files.ts";
import { writeCurlPart } from "#libraries/code-samples/multipart.ts";
import { curlWord } from "#libraries/code-samples/shell-words.ts";
import { describeFile } from "#libraries/running/file-line.ts";

/** How curl sends a body with files, which lie in the current folder by their names. Quoting is the caller's. */
export type FileBody =
  /** The whole body is the file. */
  | { kind: "data"; word: string }
  /** Arguments of `-F`; curl writes the Content-Type. */
  | { kind: "form"; words: string[] }
  /** What is printed before curl reads it: lines that end with CR LF, and files. */
  | { kind: "pieces"; pieces: ({ lines: string[] } | { file: string })[] };

/** Undefined for a body without files, and for one whose text was changed since, by hiding a secret in it. */
export function readFileBody({ body, files = [], headers }: SentRequest): FileBody | undefined {
  if (body === null || files.length === 0) return undefined;
  const [first] = files;
  if (body === describeFile(first!)) return { kind: "data", word: `@${first!.name}` };
  const texts = splitAtFiles(body, files);
  if (!texts) return undefined;
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const words = readForm(body, files, contentType);
  if (words) return { kind: "form", words };
  const pieces = texts.flatMap((text, index) => {
    const lines = { lines: text.split("\r\n").slice(0, -1) };
    return index < files.length ? [lines, { file: files[index]!.name }] : [lines];
  });
  return { kind: "pieces", pieces };
}

/** The texts around the files. Each ends with CR LF. */
function splitAtFiles(body: string, files: readonly StoredFile[]): string[] | undefined {
  const texts: string[] = [];
  let from = 0;
  for (const file of files) {
    const line = describeFile(file);
    const at = body.indexOf(line, from);
    if (at < 0) return undefined;
    texts.push(body.slice(from, at));
    from = at + line.length;
  }
  return [...texts, body.slice(from)];
}

const head =
  /^Content-Disposition: form-data; name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?\r\n(?:Content-Type: ([^\r\n]+)\r\n)?\r\n/;

/** The parts of a form as curl writes them; undefined if it would write one differently. */
function readForm(body: string, files: readonly StoredFile[], contentType: string): string[] | undefined {
  const boundary = /^multipart\/form-data; boundary=([\w-]+)$/i.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const parts = body.split(`--${boundary}\r\n`).slice(1);
  const words = parts.map((part, index) => {
    const [whole, name, fileName, mediaType] = head.exec(part) ?? [];
    const end = index < parts.length - 1 ? "\r\n" : `\r\n--${boundary}--\r\n`;
    if (whole === undefined || !part.endsWith(end) || /[%;]/.test(`${name}${fileName}`)) return undefined;
    const content = part.slice(whole.length, -end.length);
    const file = files.find((one) => describeFile(one) === content);
    if (file && mediaType === undefined) return undefined;
    const named = file && fileName === file.name ? undefined : fileName;
    const word = file ? `@${curlWord(file.name)}` : curlWord(content);
    return writeCurlPart({ name: name!, content: word, fileName: named, mediaType });
  });
  return words.every((word) => word !== undefined) ? words : undefined;
}
