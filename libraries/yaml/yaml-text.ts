import {
  type CreateNodeOptions,
  type Document,
  type DocumentOptions,
  type ParseOptions,
  parseDocument,
  type ScalarTag,
  type SchemaOptions,
  stringify,
  type ToStringOptions,
} from "yaml";
import { ExactNumber, numberFromText } from "../json/exact-number.ts";
import type { Json } from "../json/json.ts";

/** A number of JSON, which keeps digits that a double would lose. */
const exactNumbers: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  test: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  resolve: numberFromText,
  identify: (value) => value instanceof ExactNumber,
  stringify: ({ value }) => String(value),
};

/** YAML 1.2, core schema. */
const options: ParseOptions & DocumentOptions & SchemaOptions = {
  version: "1.2",
  merge: false,
  customTags: (tags) => [exactNumbers, ...tags],
};

/** Parses one document; what is wrong with it is in its `errors`. */
export function parseYaml(text: string, more: ParseOptions = {}): Document.Parsed {
  return parseDocument(text, { ...options, ...more });
}

/** The value of a document without errors. */
export const toJson = (document: Document): Json => document.toJS() as Json;

/** YAML as people write it: collections on lines of their own, texts of several lines as blocks, no line is folded. */
export function writeYaml(
  value: Json,
  more: ToStringOptions & Pick<CreateNodeOptions, "flow"> & { flow?: boolean } = {},
): string {
  return stringify(value, { ...options, aliasDuplicateObjects: false, lineWidth: 0, ...more });
}
