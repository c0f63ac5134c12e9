import type { AssertionSource, Comparison } from "#contracts/test-registry/assertions.ts";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import { comparisonWords, sourceWords, type TargetShape } from "../assertion-words.ts";
import { describeTarget, type TargetType } from "../target.ts";
import type { AssertionRow } from "../test-form-values.ts";
import * as styles from "./assertion-cells.css";
import { type EditorField, textProps } from "./editor-form.ts";
import { CellLabel, RowCells } from "./row-cells.tsx";

const sources = Object.entries(sourceWords).map(([value, { label }]) => ({ value, label }));

const groups: { label: string; names: Comparison[] }[] = [
  { label: "Equality", names: ["equals", "notEquals", "oneOf", "noneOf"] },
  { label: "Size", names: ["lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual", "between"] },
  { label: "Date", names: ["before", "after", "within"] },
  { label: "Text", names: ["contains", "notContains", "startsWith", "endsWith", "matches", "notMatches"] },
  { label: "Presence", names: ["exists", "notExists", "isNull", "isNotNull", "isEmpty", "isNotEmpty"] },
  { label: "Shape", names: ["hasType", "lengthEquals", "lengthLessThan", "lengthGreaterThan", "matchesSchema"] },
];
const comparisonOptions = groups.map(({ label, names }) => ({
  label,
  options: names.map((value) => ({ value, label: comparisonWords[value].label })),
}));

const placeholders: Partial<Record<TargetShape, string>> = {
  range: "200, 299",
  list: "200, 204",
  moment: "now",
  span: "1 min of now",
  typeName: "string",
  schema: "The documented schema",
};

const propertyExamples: Partial<Record<AssertionSource, string>> = {
  jsonPath: "$.items[0].id",
  xPath: "//item[1]/@id",
};

interface AssertionCellsProps {
  row: EditorField<AssertionRow>;
  number: number;
  takesFocus: boolean;
}

/** Source, property, comparison and target; styles alone hide the fields that a source or comparison does not use. */
export function AssertionCells({ row, number, takesFocus }: AssertionCellsProps) {
  const cells = row.getFieldset();
  const says = `assertion ${number}`;
  const place = {
    source: (cells.source.value ?? "statusCode") as AssertionSource,
    comparison: (cells.comparison.value ?? "equals") as Comparison,
  };
  const known = place.source in sourceWords && place.comparison in comparisonWords;
  const type = (cells.targetType.value ?? "auto") as TargetType;
  const understood = known ? describeTarget({ text: cells.target.value ?? "", type: "auto" }, place) : undefined;
  return (
    <div className={styles.row}>
      <RowCells look="assertion">
        <Select
          label={<CellLabel row={says} cell="source" />}
          labelHidden
          options={sources}
          className={styles.source}
          autoFocus={takesFocus || undefined}
          {...textProps(cells.source)}
        />
        <TextField
          label={<CellLabel row={says} cell={sourceWords[place.source]?.property ?? "property"} />}
          labelHidden
          placeholder={propertyExamples[place.source] ?? sourceWords[place.source]?.property}
          code
          className={styles.property}
          {...textProps(cells.property)}
        />
        <Select
          label={<CellLabel row={says} cell="comparison" />}
          labelHidden
          options={comparisonOptions}
          className={styles.comparison}
          {...textProps(cells.comparison)}
        />
        <TextField
          label={<CellLabel row={says} cell="expected" />}
          labelHidden
          placeholder={placeholders[comparisonWords[place.comparison]?.target] ?? "Expected"}
          code
          className={styles.target}
          {...textProps(cells.target)}
        />
        <Select
          label={<CellLabel row={says} cell="read as" />}
          labelHidden
          options={[
            { value: "auto", label: understood && type === "auto" ? `Auto: ${understood}` : "Automatic" },
            { value: "text", label: "Text" },
            { value: "json", label: "JSON" },
          ]}
          className={styles.type}
          {...textProps(cells.targetType)}
        />
      </RowCells>
    </div>
  );
}
