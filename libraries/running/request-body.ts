import type { StoredFile } from "#contracts/test-registry/files.ts";
import type { BodyPart, RequestBody } from "#contracts/test-registry/requests.ts";
import { fileMediaType, formDataType, writePartHead } from "../openapi/multipart-part.ts";
import { encodeFormPart } from "../openapi/percent-encoding.ts";
import { describeFile } from "./file-line.ts";
import { Unsendable } from "./unsendable.ts";
import type { TemplateRenderer } from "./variables.ts";

export interface WrittenBody {
  /** With a line about each file instead of its bytes. */
  text: string;
  contentType: string;
  /** What is sent, if it has files. */
  bytes?: Uint8Array;
  files?: StoredFile[];
}

/** The bytes of a file that was loaded before. */
export type ReadFile = (file: StoredFile) => Uint8Array;

/** Files that a body sends, in their order. */
export function listFiles(body: RequestBody): StoredFile[] {
  if (body.kind === "file") return [body.file];
  if (body.kind !== "multipart") return [];
  return body.parts.flatMap(({ enabled, file }) => (enabled && file ? [file] : []));
}

/** @param boundary between parts of a multipart body; must not occur in them. */
export function writeBody(
  body: RequestBody,
  templates: TemplateRenderer,
  boundary: string,
  readFile: ReadFile,
): WrittenBody | undefined {
  switch (body.kind) {
    case "none":
      return undefined;
    case "json":
      return {
        text: templates.renderJson(body.text),
        contentType: templates.renderSent(body.mediaType ?? "application/json"),
      };
    case "text":
      return { text: templates.renderSent(body.text), contentType: templates.renderSent(body.mediaType) };
    case "form": {
      const pairs = body.fields.filter(({ enabled, value }) => enabled && !templates.isNotSent(value));
      const text = pairs
        .map(
          ({ name, value }) =>
            `${encodeFormPart(templates.renderSent(name))}=${encodeFormPart(templates.renderSent(value))}`,
        )
        .join("&");
      return { text, contentType: "application/x-www-form-urlencoded" };
    }
    case "file":
      return { ...toBody([body.file], readFile), contentType: templates.renderSent(body.mediaType) };
    case "multipart": {
      const parts = body.parts.filter(({ enabled, value }) => enabled && !templates.isNotSent(value));
      const pieces = parts.flatMap((part) => {
        const head = `--${boundary}\r\n${writeHead(part, templates)}\r\n`;
        return [head, part.file ?? templates.renderSent(part.value), "\r\n"];
      });
      const contentType = `${body.mediaType ?? formDataType}; boundary=${boundary}`;
      return { ...toBody([...pieces, `--${boundary}--\r\n`], readFile), contentType };
    }
  }
}

function toBody(pieces: (string | StoredFile)[], readFile: ReadFile): Omit<WrittenBody, "contentType"> {
  const text = pieces.map((piece) => (typeof piece === "string" ? piece : describeFile(piece))).join("");
  const files = pieces.filter((piece) => typeof piece !== "string");
  if (files.length === 0) return { text };
  const chunks = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : readFile(piece)));
  return { text, files, bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\0-\x1f\x7f]/;

function writeHead(part: BodyPart, templates: TemplateRenderer): string {
  const name = templates.renderSent(part.name);
  const fileName = part.fileName === undefined ? part.file?.name : templates.renderSent(part.fileName);
  const hasFileName = fileName !== undefined && fileName !== "";
  const mediaType =
    part.mediaType === undefined ? (hasFileName ? fileMediaType : undefined) : templates.renderSent(part.mediaType);
  if (mediaType !== undefined && control.test(mediaType)) {
    throw new Unsendable("invalid_header", `The media type of the part ${part.name} has a line break in it.`);
  }
  const headers = part.headers?.map((header) => ({
    name: templates.renderSent(header.name),
    value: templates.renderSent(header.value),
  }));
  if (headers?.some((header) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(header.name) || control.test(header.value))) {
    throw new Unsendable(
      "invalid_header",
      `A header of the part ${part.name} can't be sent: it has a line break in it.`,
    );
  }
  return writePartHead({ name, fileName, mediaType, headers });
}
