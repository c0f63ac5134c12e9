import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { equalJson } from "../json/compare-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts";
import { writeIndentedJson } from "../json/write-json.ts";
import { type Identify, matchItems } from "./match-items.ts";
import { orderLike } from "./order-like.ts";
import { parseYaml, toJson, writeYaml } from "./yaml-text.ts";

/**
 * The text of a YAML file with another value. What is equal keeps its lines, byte by byte, with comments and order; items
 * of a list are recognized by `identify`, and take their comments along when they move.
 * @returns undefined where the text is no YAML, or has anchors that keep it from being changed in its lines
 */
export function updateYaml(text: string, value: Json, identify: Identify): string | undefined {
  const source = text.replaceAll("\r\n", "\n");
  const document = parseYaml(source, { keepSourceTokens: true });
  if (document.errors.length > 0) return undefined;
  const before = toJson(document);
  if (equalJson(before, value)) return text;
  const updated = isFlow(document.contents)
    ? updateFlow(source, document, orderLike(before, value, identify))
    : new Update(source, identify).apply(document.contents, before, value);
  const written = parseYaml(updated);
  if (written.errors.length > 0 || !equalJson(toJson(written), value)) return undefined;
  return text.includes("\r\n") ? updated.replaceAll("\n", "\r\n") : updated;
}

const isFlow = (node: unknown) => (isMap(node) || isSeq(node)) && node.flow === true;

/** JSON is YAML, too. Its order is kept; comments, which JSON doesn't have, stay before and after it. */
function updateFlow(source: string, { contents }: Document.Parsed, value: Json): string {
  const [start, end] = contents!.range!;
  const unit = /^[[{]\n([^\S\n]+)\S/.exec(source.slice(start))?.[1] ?? "  ";
  const written = writeIndentedJson(value).replace(/^(?: {2})+/gm, (spaces) => unit.repeat(spaces.length / 2));
  return source.slice(0, start) + written + source.slice(end);
}

/** An item of a collection, by offsets. */
interface Item {
  start: number;
  /** After its last character that is no comment. */
  contentEnd: number;
  /** Before the line feed after it. */
  lineEnd: number;
}

/** What can't be changed within its lines is written again. */
class Update {
  constructor(
    private readonly source: string,
    private readonly identify: Identify,
  ) {}

  apply(root: Node | null, before: Json, value: Json): string {
    const inner = root && this.#collection(root, before, value);
    if (root && inner !== undefined)
      return this.source.slice(0, root.range![0]) + inner + this.source.slice(this.#contentEnd(root));
    const comments = /^(?:[^\S\n]*#.*\n|[^\S\n]*\n)*/.exec(this.source)![0];
    return comments + writeYaml(value);
  }

  /** The text of a block collection with another value, from its first item on; undefined where it has another shape. */
  #collection(node: Node, before: Json, value: Json): string | undefined {
    if (isMap(node) && !node.flow && isJsonObject(value)) return this.#map(node, before as JsonObject, value);
    if (isSeq(node) && !node.flow && Array.isArray(value)) return this.#list(node, before as Json[], value);
    return undefined;
  }

  #map(map: YAMLMap, before: JsonObject, value: JsonObject): string | undefined {
    const names = map.items.map(({ key }) => (isScalar(key) ? String(key.value) : undefined));
    const items = map.items.map((pair) => this.#locatePair(pair));
    if (!items.every((one) => one !== undefined) || !names.every((one) => one !== undefined)) return undefined;
    if (Object.keys(value).length === 0) return undefined;
    const indent = this.#column(items[0]!.start);
    // Members keep their order; a new one comes after the one that is before it in the value.
    const order = names.filter((name) => Object.hasOwn(value, name));
    for (const [at, name] of Object.keys(value).entries()) {
      if (order.includes(name)) continue;
      const earlier = Object.keys(value).slice(0, at).at(-1);
      order.splice(earlier === undefined ? 0 : order.indexOf(earlier) + 1, 0, name);
    }
    return this.#join(
      items,
      indent,
      order.map((name) => {
        const index = names.indexOf(name);
        const one = value[name]!;
        const body =
          index < 0
            ? writeItem({ [name]: one }, indent)
            : this.#pair(map.items[index]!, items[index]!, before[name] ?? null, one);
        return { index, body };
      }),
    );
  }

  #list(list: YAMLSeq, before: Json[], value: Json[]): string | undefined {
    const tokens = (list.srcToken as CST.BlockSequence).items;
    const items = list.items.map((item, index) => this.#locateItem(item as Node, tokens[index]!));
    if (!items.every((one) => one !== undefined) || value.length === 0) return undefined;
    const indent = this.#column(items[0]!.start);
    return this.#join(
      items,
      indent,
      matchItems(before, value, this.identify).map((index, at) => {
        const body =
          index < 0
            ? writeItem([value[at]!], indent)
            : this.#listItem(list.items[index] as Node, items[index]!, before[index]!, value[at]!);
        return { index, body };
      }),
    );
  }

  /** Puts items together, each with the comments above it. `index` is that of the item before, -1 for a new one. */
  #join(items: Item[], indent: number, parts: { index: number; body: string }[]): string {
    const gaps = items.map((item, index) =>
      index === 0 ? `\n${" ".repeat(indent)}` : this.source.slice(items[index - 1]!.lineEnd, item.start),
    );
    const spaced = gaps.length > 1 && gaps.slice(1).every((gap) => /^\n[^\S\n]*\n/.test(gap));
    const between = `${spaced ? "\n" : ""}\n${" ".repeat(indent)}`;
    return parts
      .map(({ index, body }, at) => {
        // The first one's comments are the collection's.
        const gap = index < 0 ? between : index === 0 && at > 0 ? between : gaps[index]!;
        return at === 0 ? (index <= 0 ? "" : gap.replace(/^\s+/, "")) + body : gap + body;
      })
      .join("");
  }

  #pair(pair: Pair, item: Item, before: Json, value: Json): string {
    const node = pair.value as Node | null;
    const key = this.source.slice(item.start, (pair.key as Node).range![1]);
    const inPlace = node && this.#inPlace(node, item, before, value);
    if (inPlace) return inPlace;
    const indent = this.#column(item.start);
    return withComment(
      writeItem({ x: value }, indent).replace(/^x/, () => key),
      this.#comment(pair, item),
    );
  }

  #listItem(node: Node, item: Item, before: Json, value: Json): string {
    return this.#inPlace(node, item, before, value) ?? writeItem([value], this.#column(item.start));
  }

  /** The item's text with another value in place of its own; undefined if the value needs another form. */
  #inPlace(node: Node, item: Item, before: Json, value: Json): string | undefined {
    if (equalJson(before, value)) return this.source.slice(item.start, item.lineEnd);
    const [start, end] = [node.range![0], this.#contentEnd(node)];
    const inner = this.#collection(node, before, value) ?? this.#inLine(node, value, end - start);
    if (inner === undefined) return undefined;
    return this.source.slice(item.start, start) + inner + this.source.slice(end, item.lineEnd);
  }

  /** A scalar or a flow collection on one line. */
  #inLine(node: Node, value: Json, length: number): string | undefined {
    if (isAlias(node) || length === 0 || this.source.slice(node.range![0], node.range![1]).includes("\n"))
      return undefined;
    if (isScalar(node)) {
      if (typeof value === "object" && value !== null && (isJsonObject(value) || Array.isArray(value)))
        return undefined;
      const scalar = new Scalar(value);
      if (typeof value === "string" && isQuoted(node)) scalar.type = node.type;
      const text = writeYaml(scalar as unknown as Json).replace(/\n$/, "");
      return text.includes("\n") ? undefined : text;
    }
    if (!isFlow(node) || typeof value !== "object" || value === null) return undefined;
    const padding = /^[[{] /.test(this.source.slice(node.range![0]));
    return writeYaml(value, { collectionStyle: "flow", flowCollectionPadding: padding }).replace(/\n$/, "");
  }

  #locatePair({ key, value, srcToken }: Pair & { srcToken?: CST.CollectionItem }): Item | undefined {
    const isPlain = srcToken?.start.every(({ type }) => ["space", "newline", "comment"].includes(type));
    if (!isPlain || !isScalar(key) || !key.range || key.range[0] === key.range[1]) return undefined;
    const colon = srcToken?.sep?.find(({ type }) => type === "map-value-ind");
    if (!colon) return undefined;
    const node = value as Node | null;
    const contentEnd = node?.range && node.range[1] > node.range[0] ? this.#contentEnd(node) : colon.offset + 1;
    return { start: key.range[0], contentEnd, lineEnd: this.#lineEnd(contentEnd) };
  }

  #locateItem(node: Node, { start }: CST.CollectionItem): Item | undefined {
    const indicator = start.find(({ type }) => type === "seq-item-ind");
    if (!indicator || !node?.range) return undefined;
    const contentEnd = node.range[1] > node.range[0] ? this.#contentEnd(node) : indicator.offset + 1;
    return { start: indicator.offset, contentEnd, lineEnd: this.#lineEnd(contentEnd) };
  }

  #contentEnd(node: Node): number {
    if (isMap(node) && !node.flow && node.items.length > 0)
      return this.#locatePair(node.items.at(-1)!)?.contentEnd ?? node.range![1];
    if (isSeq(node) && !node.flow && node.items.length > 0) {
      const token = (node.srcToken as CST.BlockSequence).items[node.items.length - 1]!;
      return this.#locateItem(node.items.at(-1) as Node, token)?.contentEnd ?? node.range![1];
    }
    let end = node.range![1];
    const isBlock = isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED);
    if (!isBlock || this.source[end - 1] !== "\n") return end;
    // With `|+` the empty lines at its end are part of it.
    const keepsLines = /^[|>]\d?\+/.test(this.source.slice(node.range![0], node.range![0] + 3));
    do end -= 1;
    while (!keepsLines && this.source[end - 1] === "\n");
    return end;
  }

  #lineEnd(offset: number): number {
    const end = this.source.indexOf("\n", offset);
    return end < 0 ? this.source.length : end;
  }

  #column(offset: number): number {
    return offset - (this.source.lastIndexOf("\n", offset - 1) + 1);
  }

  /** The comment on the line of a member. */
  #comment({ srcToken }: Pair & { srcToken?: CST.CollectionItem }, { contentEnd, lineEnd }: Item): string {
    const tokens = srcToken?.sep ?? [];
    const [first] = tokens.filter(({ type }) => type === "comment" || type === "newline");
    if (first?.type === "comment") return first.source;
    return this.source.slice(contentEnd, lineEnd).trim();
  }
}

const isQuoted = ({ type }: Scalar) => type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE;

/** An item of a collection, of which the lines after the first are indented. */
function writeItem(value: Json, indent: number): string {
  const lines = writeYaml(value).replace(/\n$/, "").split("\n");
  return lines.map((line, at) => (at === 0 || line === "" ? line : " ".repeat(indent) + line)).join("\n");
}

function withComment(text: string, comment: string): string {
  if (!comment.startsWith("#")) return text;
  const [first, ...others] = text.split("\n");
  return [`${first} ${comment}`, ...others].join("\n");
}
