import { isRecord, type JsonRecord, memberOf } from "../../../kit/json/json-value.ts";
import type { SpecificationVersion } from "../../contract/documents.ts";
import { type Findings, type Place, quoted } from "../findings.ts";
import { childPointer } from "../references/pointer.ts";
import { grammar2 } from "./grammar-2.ts";
import { grammar3 } from "./grammar-3.ts";
import type { Walk } from "./rule.ts";
import { rulesOfKinds } from "./rules.ts";
import { examineSchema } from "./schema-rules.ts";
import type { Grammar, ObjectKind, Shape } from "./shapes.ts";
import { adviseOnField, enumerate, kindOf } from "./wording.ts";

export interface ReferenceFound {
  reference: string;
  /** What is expected where it leads. */
  shape: Shape;
  /** Of the `$ref` itself. */
  place: Place;
}

/**
 * Walks the objects of a document as the standard describes them and notes what is not as it should be, in words for the
 * person who wrote it. References are noted, not followed: what they lead to is examined once, with the shape expected.
 */
export class Examiner implements Walk {
  readonly references: ReferenceFound[] = [];
  readonly grammar: Grammar;
  readonly #visited = new Set<string>();

  constructor(
    readonly version: SpecificationVersion,
    readonly findings: Findings,
  ) {
    this.grammar = version === "2.0" ? grammar2() : grammar3(version);
  }

  /** Examines what a reference leads to, unless it was seen in that role before. */
  examineTarget(value: unknown, shape: Shape, place: Place): void {
    const role = shape.is === "object" ? shape.kind : shape.is;
    const key = `${role} ${place.file}#${place.pointer}`;
    if (!this.#visited.has(key)) this.examine(value, shape, place);
  }

  examine(value: unknown, shape: Shape, place: Place): void {
    switch (shape.is) {
      case "anything":
        return;
      case "text":
        this.#examineText(value, shape, place);
        return;
      case "boolean":
        if (typeof value !== "boolean") this.#wrongType("true or false", value, place);
        return;
      case "number":
        if (typeof value !== "number") this.#wrongType("a number", value, place);
        return;
      case "list":
        this.#examineList(value, shape, place);
        return;
      case "map":
        this.#examineMap(value, shape, place);
        return;
      case "schema":
        this.#visited.add(`schema ${place.file}#${place.pointer}`);
        examineSchema(value, place, this);
        return;
      default:
        this.#examineObject(value, shape.kind, place);
    }
  }

  noteReference(reference: string, shape: Shape, place: Place): void {
    this.references.push({ reference, shape, place });
  }

  #examineText(value: unknown, shape: Shape & { is: "text" }, place: Place): void {
    if (typeof value !== "string") {
      this.#wrongType("a text", value, place);
      return;
    }
    if (shape.oneOf && !shape.oneOf.includes(value)) {
      const allowed = enumerate(shape.oneOf.map((word) => `"${word}"`));
      this.findings.error(place, `${nameOf(place)} has to be ${allowed}, and is ${quoted(value)}.`);
    }
    if (shape.format === "email" && value !== "" && !/^[^\s@]+@[^\s@]+$/.test(value)) {
      this.findings.warn(place, `${nameOf(place)} is not an e-mail address: ${quoted(value)}.`);
    }
    if (shape.format === "url" && /\s/.test(value.trim())) {
      this.findings.warn(place, `${nameOf(place)} is not an address: ${quoted(value)}.`);
    }
  }

  #examineList(value: unknown, shape: Shape & { is: "list" }, place: Place): void {
    if (!Array.isArray(value)) {
      this.#wrongType("a list", value, place);
      return;
    }
    if (shape.least !== undefined && value.length < shape.least) {
      this.findings.error(place, `${nameOf(place)} is an empty list; give at least one value or remove it.`);
    }
    for (const [index, item] of value.entries()) {
      this.examine(item, shape.of, { file: place.file, pointer: childPointer(place.pointer, index) });
    }
  }

  #examineMap(value: unknown, shape: Shape & { is: "map" }, place: Place): void {
    if (!isRecord(value)) {
      this.#wrongType("an object", value, place);
      return;
    }
    for (const name of Object.keys(value)) {
      if (name.startsWith("x-") && shape.of.is === "object" && !isRecord(value[name])) continue;
      const at = { file: place.file, pointer: childPointer(place.pointer, name) };
      if (shape.names && !shape.names.test(name)) {
        this.findings.error(at, `${quoted(name)} can't be used as a name here: ${shape.namesAdvice}.`);
      }
      this.examine(value[name], shape.of, at);
    }
  }

  #examineObject(value: unknown, kind: string, place: Place): void {
    this.#visited.add(`${kind} ${place.file}#${place.pointer}`);
    const definition = this.grammar.get(kind)!;
    if (!isRecord(value)) {
      this.#wrongType("an object", value, place);
      return;
    }
    const reference = memberOf(value, "$ref");
    if (definition.mayBeReference && reference !== undefined) {
      this.#examineReference(reference, kind, place);
      if (kind !== "pathItem") return;
    }
    this.#examineFields(value, definition, place);
    rulesOfKinds[kind]?.(value, place, this);
  }

  #examineReference(reference: unknown, kind: string, place: Place): void {
    const at = { file: place.file, pointer: childPointer(place.pointer, "$ref") };
    if (typeof reference === "string") this.noteReference(reference, { is: "object", kind }, at);
    else this.findings.error(at, `"$ref" has to be a text like "#/components/…", and is ${kindOf(reference)}.`);
  }

  #examineFields(value: JsonRecord, definition: ObjectKind, place: Place): void {
    const { fields, others } = definition;
    for (const [name, field] of fields) {
      if (field.required && memberOf(value, name) === undefined) {
        this.findings.error(place, `"${name}" is missing: ${definition.called} needs it.`);
      }
    }
    for (const name of Object.keys(value)) {
      const at = { file: place.file, pointer: childPointer(place.pointer, name) };
      const field = fields.get(name);
      if (field) this.examine(value[name], field.shape, at);
      else if (definition.takesExtensions && name.startsWith("x-")) continue;
      else if (others) {
        if (!others.names.test(name)) {
          this.findings.error(at, `${quoted(name)} can't stand here: ${others.advice}.`);
        }
        this.examine(value[name], others.shape, at);
      } else this.#reportUnknownField(name, definition, at);
    }
  }

  #reportUnknownField(name: string, { called, fields, takesExtensions }: ObjectKind, at: Place): void {
    const advice = adviseOnField(name, fields.keys(), takesExtensions);
    this.findings.error(at, `${quoted(name)} is no field of ${called} in OpenAPI ${this.version}${advice}`);
  }

  #wrongType(expected: string, value: unknown, place: Place): void {
    const wantsQuotes = expected === "a text" && (typeof value === "number" || typeof value === "boolean");
    const isYaml11 = expected === "true or false" && typeof value === "string" && /^(yes|no|on|off|y|n)$/i.test(value);
    const advice = wantsQuotes
      ? ` Put it in quotes: "${value}".`
      : isYaml11
        ? ` Write ${/^(yes|on|y)$/i.test(value) ? "true" : "false"} instead of ${value}.`
        : typeof value === "string" && (value === "true" || value === "false")
          ? " Remove the quotes."
          : "";
    this.findings.error(place, `${nameOf(place)} has to be ${expected}, and is ${kindOf(value)}.${advice}`);
  }
}

/** The last step of a pointer, for the beginning of a sentence. */
function nameOf({ pointer }: Place): string {
  const steps = pointer.split("/");
  const last = steps.at(-1)!.replaceAll("~1", "/").replaceAll("~0", "~");
  if (pointer === "") return "The document";
  return /^\d+$/.test(last) && steps.length > 2 ? `Item ${Number(last) + 1} of "${steps.at(-2)}"` : quoted(last);
}
