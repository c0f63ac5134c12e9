import { scrollable } from "~/ui/scrollable";
import type { MarkupValue } from "../markup-value.ts";
import type { EditorForm } from "../sections/editor-form.ts";
import { assertionInWords, assertionOfText } from "../suggested-assertion.ts";
import * as styles from "./response-tree.css";

const openLevels = 3;
const longestShown = 120;

/** XML in which every text of an element or attribute is a button that creates an assertion. */
export function MarkupTree({ form, root }: { form: EditorForm; root: MarkupValue }) {
  return (
    <div {...scrollable("Response body")} className={styles.tree}>
      <Value form={form} value={root} level={0} />
    </div>
  );
}

function Value({ form, value, level }: { form: EditorForm; value: MarkupValue; level: number }) {
  const { name, text, children, omitted } = value;
  const shown = text === null ? null : <TextButton form={form} value={value} text={text} />;
  if (children.length + omitted === 0) {
    return (
      <div className={styles.line}>
        <span className={styles.name}>{name}: </span>
        {shown ?? <span className={styles.size}>empty</span>}
      </div>
    );
  }
  return (
    <details open={level < openLevels} className={styles.branch}>
      <summary className={styles.opener}>
        <span className={styles.name}>{name}</span>
      </summary>
      <div className={styles.children}>
        {shown}
        {children.map((child) => (
          <Value key={child.xPath} form={form} value={child} level={level + 1} />
        ))}
        {omitted > 0 && <p className={styles.size}>… {omitted} more not shown</p>}
      </div>
    </details>
  );
}

function TextButton({ form, value, text }: { form: EditorForm; value: MarkupValue; text: string }) {
  const assertion = assertionOfText("xPath", text, value.xPath);
  const words = assertionInWords(assertion);
  return (
    <button
      type="submit"
      {...form.insert.getButtonProps({ name: form.getFieldset().assertions.name, defaultValue: assertion })}
      data-asserts={words}
      title={`Assert: ${words}`}
      aria-label={`Assert: ${words}`}
      className={styles.value.string}
    >
      {text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}
    </button>
  );
}
