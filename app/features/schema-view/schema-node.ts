/** One schema as it is shown; what it holds comes in `groups`, outermost level first. */
export interface SchemaNode {
  /** In words: `string`, `array of Pet`, `one of 3`, `integer or null`. */
  type: string;
  format?: string;
  /** Of the component it refers to. */
  componentName?: string;
  descriptionHtml: string;
  marks: readonly SchemaMark[];
  /** Rules a value must keep, a phrase each: `at least 1 character`, `matches ^a+$`. */
  rules: readonly string[];
  /** JSON texts. */
  values: readonly string[];
  /** How many values are left out of `values`. */
  hiddenValueCount: number;
  defaultValue?: string;
  examples: readonly string[];
  groups: readonly SchemaGroup[];
  /** How many of its own entries are left out of `groups`. */
  hiddenEntryCount?: number;
  /** Why it is not unfolded here, though there is more at `place`. */
  folded?: "recursion" | "size";
  /** JSON pointer of the schema in the answer that describes the operation. */
  place: string;
}

export type SchemaMark = "deprecated" | "read only" | "write only";

export interface SchemaGroup {
  /** Without a title: the members themselves. */
  title?: string;
  entries: readonly SchemaEntry[];
}

export interface SchemaEntry {
  /** Name of a property, or what the schema is for: `items`, `Cat`, `names like ^x-`. */
  label: string;
  /** The label is a name as sent, shown in code. */
  named: boolean;
  required: boolean;
  node: SchemaNode;
}
