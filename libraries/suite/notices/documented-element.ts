import type { Json } from "../../json/json.ts";
import { toList } from "../../json/json-value.ts";
import type { SampleSource } from "../../openapi/sample/sample-source.ts";
import { flattenSchema } from "../../openapi/schema-parts.ts";
import { getXmlShape } from "../../openapi/xml/xml-shape.ts";
import type { XmlStep } from "./xml-steps.ts";

/** What the document says of an element or attribute; nothing where it does not describe it. */
export class DocumentedElement {
  constructor(
    readonly schema: unknown,
    private readonly source: SampleSource,
    readonly isOptional = false,
    readonly isItem = false,
  ) {}

  /** What it says of one in it. */
  find({ kind, localName }: Pick<XmlStep, "kind" | "localName">): DocumentedElement {
    const { source } = this;
    const shape = getXmlShape(this.schema, source);
    if (kind !== "attribute" && shape.types.has("array"))
      return new DocumentedElement(shape.items, source, false, true);
    for (const [member, schema] of shape.properties) {
      const own = getXmlShape(schema, source);
      if (own.isAttribute !== (kind === "attribute")) continue;
      const isList = own.types.has("array") && !own.isWrapped;
      const name = isList ? getXmlShape(own.items, source).name : own.name;
      if ((name ?? member) !== localName) continue;
      return new DocumentedElement(isList ? own.items : schema, source, !shape.required.has(member), isList);
    }
    return new DocumentedElement(undefined, source);
  }

  get enumeration(): Json[] {
    return toList(flattenSchema(this.schema, this.source)?.enum) as Json[];
  }

  /** Whether the document allows an element without text: null, or one that may have any. */
  get mayBeEmpty(): boolean {
    const schema = flattenSchema(this.schema, this.source);
    return schema?.nullable === true || [schema?.type].flat().includes("null");
  }

  /** Whether a text that is a number only happens to be one. */
  get isText(): boolean {
    return getXmlShape(this.schema, this.source).types.has("string");
  }
}
