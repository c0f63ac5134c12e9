import { toPlaceholders, toVariableName } from "./placeholders.ts";

/** A value of an earlier response that a text refers to. */
export interface ResponseReference {
  requestId: string;
  source: "jsonPath" | "xPath" | "header" | "body";
  property: string | undefined;
  variable: string;
}

/** What templates of Insomnia refer to, and what no placeholder can say. */
export interface TemplateReader {
  fill(text: string): string;
}

const unquote = (text: string) => text.trim().replace(/^(['"])(.*)\1$/s, "$2");

/** `b64::JC5pZA==::46b` is how the app writes a path that holds quotes. */
function decodePath(text: string): string {
  const encoded = /^b64::([\w+/=-]+)::\w+$/.exec(text)?.[1];
  return encoded === undefined ? text : Buffer.from(encoded, "base64").toString("utf8");
}

/** Translates `{{ _.name }}` and `{% response … %}`. */
export function createTemplateReader(parts: {
  refer(reference: ResponseReference): void;
  lose(what: string, reason: string): void;
}): TemplateReader {
  const readTag = (tag: string, whole: string): string => {
    const [, name = "", rest = ""] = /^(\w+)\s*(.*)$/s.exec(tag.trim()) ?? [];
    const given = rest.split(",").map(unquote);
    if (name === "uuid") return "{{$uuid}}";
    if (name === "timestamp") return "{{$timestamp}}";
    if (name === "now") return /unix|millis/.test(given[0] ?? "") ? "{{$timestamp}}" : "{{$isoTimestamp}}";
    if (name === "response") {
      const [attribute = "", requestId = "", path = ""] = given;
      const property = decodePath(path);
      const variable = toVariableName(`${property.replace(/^\$\.?/, "") || attribute}_of_${requestId.slice(-8)}`);
      if (attribute === "body")
        parts.refer({ requestId, source: property.startsWith("/") ? "xPath" : "jsonPath", property, variable });
      else if (attribute === "header") parts.refer({ requestId, source: "header", property, variable });
      else if (attribute === "raw") parts.refer({ requestId, source: "body", property: undefined, variable });
      else {
        parts.lose(whole, "It is no value that a test can capture.");
        return whole;
      }
      return `{{${variable}}}`;
    }
    const variable = toVariableName(name || "tag");
    parts.lose(whole, `No such generated value. It is the variable ${variable} now: give it a value.`);
    return `{{${variable}}}`;
  };
  return {
    fill(text) {
      const tagged = text.replace(/\{%\s*([^%]*(?:%(?!\})[^%]*)*)%\}/g, (whole, tag: string) => readTag(tag, whole));
      const named = tagged.replace(/\{\{\s*_?\.?\s*([\w.\-[\]'" ]+?)\s*(?:\|[^}]*)?\}\}/g, (_, name: string) =>
        name.startsWith("$") ? `{{${name}}}` : `{{${toVariableName(name.replace(/\[['"]?|['"]?\]/g, "."))}}}`,
      );
      return toPlaceholders(named);
    },
  };
}
