/** One schema as displayed; its parts are in `groups`, outermost level first. */
export interface SchemaNode {
  /** In words: `string`, `array of Pet`, `one of 3`, `integer or null`. */
  type: string;
  format?: string;
  /** Name of the component it refers to. */
  componentName?: string;
  descriptionHtml: string;
  marks: readonly SchemaMark[];
  /** Rules for a value, one phrase each: `at least 1 character`, `matches ^a+$`. */
  rules: readonly string[];
  /** JSON texts. */
  values: readonly string[];
  /** Number of values left out of `values`. */
  hiddenValueCount: number;
  defaultValue?: string;
  examples: readonly string[];
  groups: readonly SchemaGroup[];
  /** Number of entries left out of `groups`. */
  hiddenEntryCount?: number;
  /** Why it is not unfolded here, though there is more at `place`. */
  folded?: "recursion" | "size";
  /** JSON pointer of the schema in the response that describes the operation. */
  location: string;
}

export type SchemaMark = "deprecated" | "read only" | "write only";

export interface SchemaGroup {
  /** Without a title: the members only. */
  title?: string;
  entries: readonly SchemaEntry[];
}

export interface SchemaEntry {
  /** Name of a property, or the schema's purpose: `items`, `Cat`, `names like ^x-`. */
  label: string;
  /** The label is a literal name, shown as code. */
  named: boolean;
  required: boolean;
  node: SchemaNode;
}
