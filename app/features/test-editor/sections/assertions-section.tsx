import { useContext } from "react";
import type { AssertionSource } from "#contracts/test-registry/assertions.ts";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { sourceWords } from "../assertion-words.ts";
import type { AssertionRow } from "../test-form-values.ts";
import { AssertionCells } from "./assertion-cells.tsx";
import { type EditorField, type EditorForm, JustChanged } from "./editor-form.ts";
import { EditorSection } from "./editor-section.tsx";

const blank = { source: "statusCode", property: "", comparison: "equals", target: "", targetType: "auto" };

/** What an assertion looks at, e.g. `JSONPath $.id`. */
function toBrief(row: EditorField<AssertionRow>): string {
  const { source, property } = row.getFieldset();
  const words = sourceWords[source.value as AssertionSource];
  return [words?.label, words?.property && property.value].filter(Boolean).join(" ");
}

/** Assertions about the response. All are evaluated before the verdict. */
export function AssertionsSection({ form }: { form: EditorForm }) {
  const justChanged = useContext(JustChanged);
  const { assertions } = form.getFieldset();
  const rows = assertions.getFieldList();
  return (
    <EditorSection
      form={form}
      id="assertions-card"
      title="Assertions"
      count={rows.length}
      brief={rows.map(toBrief).join(", ")}
      description="Conditions that the response must meet. JSON is compared by type: 12 is not “12”. A target that is only a {{variable}} keeps the type of a captured value; the value of any other variable is read as if it were typed here. Choose Text to compare it as text."
      holds={[assertions.name]}
      filled={rows.length > 0}
    >
      <RepeatedRows
        id={assertions.id}
        look="label"
        dense
        legend="Assertions"
        legendHidden
        errors={assertions.errors}
        autoFocus={justChanged === assertions.name || undefined}
        addLabel="Add assertion"
        add={form.insert.getButtonProps({ name: assertions.name, defaultValue: blank })}
        empty="None yet"
        rows={rows.map((row, index) => ({
          key: row.key ?? row.name,
          removeLabel: `Remove assertion ${index + 1}`,
          remove: form.remove.getButtonProps({ name: assertions.name, index }),
          fields: <AssertionCells row={row} number={index + 1} takesFocus={justChanged === row.name} />,
        }))}
      />
    </EditorSection>
  );
}
