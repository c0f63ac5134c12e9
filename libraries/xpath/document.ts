import { type DefaultTreeAdapterTypes, parse as parseHtmlTree } from "parse5";
import { SaxesParser } from "saxes";
import {
  attributeType,
  documentType,
  elementType,
  type MarkupDocument,
  MarkupNode,
  type MarkupReader,
  TooDeepMarkup,
  textType,
  UnreadableMarkup,
} from "./markup.ts";

const maximumDepth = 1_000;

class Builder {
  #order = 0;
  #depth = 0;
  readonly root: MarkupNode = this.create(documentType, "#document", null, null);
  current = this.root;

  create(
    type: number,
    name: string,
    namespace: string | null,
    value: string | null,
    parent: MarkupNode | null = null,
  ): MarkupNode {
    const owner = type === documentType ? null : this.root;
    const local = name.slice(name.indexOf(":") + 1);
    this.#order += 1;
    return new MarkupNode(type, name, local, namespace, parent, value, this.#order, owner);
  }

  open(name: string, namespace: string | null): MarkupNode {
    this.#depth += 1;
    if (this.#depth > maximumDepth) throw new TooDeepMarkup("The markup is nested deeper than 1,000 levels.");
    const element = this.create(elementType, name, namespace, null, this.current);
    this.current.append(element);
    this.current = element;
    return element;
  }

  attribute(name: string, namespace: string | null, value: string): void {
    const attribute = this.create(attributeType, name, namespace, value);
    attribute.ownerElement = this.current;
    this.current.attributes.push(attribute);
  }

  text(value: string): void {
    if (this.current !== this.root) this.current.append(this.create(textType, "#text", null, value, this.current));
  }

  close(): void {
    this.#depth -= 1;
    this.current = this.current.parentNode ?? this.root;
  }
}

const declarations = "http://www.w3.org/2000/xmlns/";

/** @throws UnreadableMarkup; TooDeepMarkup */
export function parseXml(text: string): MarkupDocument {
  const builder = new Builder();
  const namespaces: Record<string, string> = { xml: "http://www.w3.org/XML/1998/namespace" };
  let hasDefaultNamespace = false;
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on("error", ({ message }) => {
    throw new UnreadableMarkup(message.replace(/^undefined:|\.$/g, "").trim());
  });
  parser.on("opentag", ({ name, uri, attributes, ns }) => {
    if (builder.current === builder.root) {
      hasDefaultNamespace = Boolean(ns[""]);
      for (const [prefix, address] of Object.entries(ns)) if (prefix) namespaces[prefix] = address;
    }
    builder.open(name, uri || null);
    for (const attribute of Object.values(attributes)) {
      if (attribute.uri !== declarations) builder.attribute(attribute.name, attribute.uri || null, attribute.value);
    }
  });
  parser.on("closetag", () => builder.close());
  parser.on("text", (value) => builder.text(value));
  parser.on("cdata", (value) => builder.text(value));
  parser.write(text).close();
  return { root: builder.root, namespaces, hasDefaultNamespace };
}

type HtmlNode = DefaultTreeAdapterTypes.ChildNode;

/**
 * HTML defines a document for every text.
 * @throws TooDeepMarkup
 */
export function parseHtml(text: string): MarkupDocument {
  const builder = new Builder();
  const waiting: (HtmlNode | "close")[] = [
    ...parseHtmlTree<DefaultTreeAdapterTypes.DefaultTreeAdapterMap>(text).childNodes,
  ].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node === "close") builder.close();
    else if (node.nodeName === "#text" && "value" in node) builder.text(node.value);
    else if ("tagName" in node) {
      builder.open(node.tagName, null);
      for (const { name, prefix, value } of node.attrs)
        builder.attribute(prefix ? `${prefix}:${name}` : name, null, value);
      waiting.push("close");
      for (let index = node.childNodes.length - 1; index >= 0; index -= 1) waiting.push(node.childNodes[index]!);
    }
  }
  return { root: builder.root, namespaces: {}, hasDefaultNamespace: false };
}

/** @param onReading called around each parse, which takes longer than an evaluation but happens once a document */
export function createMarkupReader(onReading: (phase: "starts" | "ends") => void = () => {}): MarkupReader {
  return {
    read(text, isHtml) {
      onReading("starts");
      try {
        return isHtml ? parseHtml(text) : parseXml(text);
      } finally {
        onReading("ends");
      }
    },
  };
}
