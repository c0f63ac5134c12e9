import type { RequestBody } from "#contracts/test-registry/requests.ts";
import { encodeFormPart } from "../openapi/percent-encoding.ts";
import { Unsendable } from "./unsendable.ts";
import type { TemplateRenderer } from "./variables.ts";

export interface WrittenBody {
  text: string;
  contentType: string;
}

/** @param boundary between parts of a multipart body; must not occur in them. */
export function writeBody(body: RequestBody, templates: TemplateRenderer, boundary: string): WrittenBody | undefined {
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
      const pairs = body.fields.filter(({ enabled }) => enabled);
      const text = pairs
        .map(
          ({ name, value }) =>
            `${encodeFormPart(templates.renderSent(name))}=${encodeFormPart(templates.renderSent(value))}`,
        )
        .join("&");
      return { text, contentType: "application/x-www-form-urlencoded" };
    }
    case "multipart": {
      const parts = body.parts.filter(({ enabled }) => enabled).map((part) => writePart(part, templates, boundary));
      return { text: `${parts.join("")}--${boundary}--\r\n`, contentType: `multipart/form-data; boundary=${boundary}` };
    }
  }
}

type Part = Extract<RequestBody, { kind: "multipart" }>["parts"][number];

function writePart(part: Part, templates: TemplateRenderer, boundary: string): string {
  const fileName =
    part.fileName === undefined ? "" : `; filename="${escapeQuoted(templates.renderSent(part.fileName))}"`;
  const mediaType = part.mediaType === undefined ? getDefaultType(part) : templates.renderSent(part.mediaType);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (mediaType !== undefined && /[\0-\x1f\x7f]/.test(mediaType)) {
    throw new Unsendable("invalid_header", `The media type of the part ${part.name} has a line break in it.`);
  }
  const typeLine = mediaType ? `Content-Type: ${mediaType}\r\n` : "";
  const name = escapeQuoted(templates.renderSent(part.name));
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n${typeLine}\r\n${templates.renderSent(part.value)}\r\n`;
}

/** RFC 7578, 4.4: a part without a type is text, so a file needs one. */
function getDefaultType({ fileName }: Part): string | undefined {
  return fileName ? "application/octet-stream" : undefined;
}

/** As the HTML standard escapes names in multipart/form-data. */
function escapeQuoted(text: string): string {
  return text.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
}
