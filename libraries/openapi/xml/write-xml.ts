import { isRecord } from "../../json/json-value.ts";
import { formatValue } from "../parameter.ts";
import type { SampleSource } from "../sample/sample-source.ts";
import { getXmlShape, type XmlShape } from "./xml-shape.ts";

/**
 * A value as the XML that its schema describes (OpenAPI, "XML Object"), indented by two spaces. The root is named by
 * `xml.name`, or else by its component, or else `unnamed`.
 */
export function writeXml(value: unknown, schema: unknown, source: SampleSource, unnamed = "root"): string {
  const shape = getXmlShape(schema, source);
  const name = shape.name ?? shape.component ?? unnamed;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XmlWriter(source).element(name, value, shape, "").join("\n")}`;
}

class XmlWriter {
  constructor(private readonly source: SampleSource) {}

  element(name: string, value: unknown, shape: XmlShape, indent: string): string[] {
    const tag = qualify(name, shape);
    const attributes = [...declare(shape)];
    if (Array.isArray(value)) {
      const items = getXmlShape(shape.items, this.source);
      const itemName = items.name ?? shape.name ?? name;
      const lines = value.flatMap((item) => this.element(itemName, item, items, `${indent}  `));
      return wrap(tag, attributes, lines, indent);
    }
    if (!isRecord(value)) return [`${indent}${open(tag, attributes)}${writeText(value, shape)}</${tag}>`];
    const lines: string[] = [];
    let text: string | undefined;
    for (const [member, item] of Object.entries(value)) {
      const own = getXmlShape(shape.properties.get(member), this.source);
      const memberName = own.name ?? member;
      if (own.isAttribute) {
        attributes.push(...declare(own), [qualify(memberName, own), formatValue(item)]);
      } else if (own.isText) text = writeText(item, own);
      else if (Array.isArray(item) && !own.isWrapped) {
        const items = getXmlShape(own.items, this.source);
        lines.push(...item.flatMap((one) => this.element(items.name ?? member, one, items, `${indent}  `)));
      } else lines.push(...this.element(memberName, item, own, `${indent}  `));
    }
    if (text !== undefined && lines.length === 0) return [`${indent}${open(tag, attributes)}${text}</${tag}>`];
    return wrap(tag, attributes, lines, indent);
  }
}

function qualify(name: string, { prefix }: XmlShape): string {
  const plain = toXmlName(name);
  return prefix === undefined ? plain : `${toXmlName(prefix)}:${plain}`;
}

/** Members may have names that no element can have. */
function toXmlName(name: string): string {
  const allowed = name.replace(/[^\p{L}\p{N}._-]/gu, "_");
  return /^[\p{L}_]/u.test(allowed) ? allowed : `_${allowed}`;
}

function declare({ namespace, prefix }: XmlShape): [name: string, value: string][] {
  return namespace === undefined ? [] : [[prefix === undefined ? "xmlns" : `xmlns:${toXmlName(prefix)}`, namespace]];
}

function open(tag: string, attributes: readonly [string, string][]): string {
  const written = [...new Map(attributes)].map(
    ([name, value]) => ` ${name}="${escapeXml(value).replace(/"/g, "&quot;")}"`,
  );
  return `<${tag}${written.join("")}>`;
}

function wrap(tag: string, attributes: readonly [string, string][], lines: string[], indent: string): string[] {
  if (lines.length === 0) return [`${indent}${open(tag, attributes).replace(/>$/, "/>")}`];
  return [`${indent}${open(tag, attributes)}`, ...lines, `${indent}</${tag}>`];
}

function writeText(value: unknown, { isCdata }: XmlShape): string {
  const text = formatValue(value);
  return isCdata ? `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>` : escapeXml(text);
}

/** Text as XML writes it. Characters that XML 1.0 has no form for are left out. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
