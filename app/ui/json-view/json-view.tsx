import type { ComponentPropsWithoutRef } from "react";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { scrollable } from "~/ui/scrollable";
import { toneIcons } from "~/ui/tone";
import { type FoldedJson, type FoldLimits, foldJson, type JsonHighlight } from "./fold-json";
import { readJsonText, readJsonValue } from "./json-node";
import * as styles from "./json-view.css";

export interface JsonViewProps extends Omit<ComponentPropsWithoutRef<"div">, "children">, Partial<FoldLimits> {
  /** Prefix of the ids: the value at `/items/0` is `#${id}/items/0`, so give each view of a page its own. */
  id: string;
  /** Name of the view for screen readers. */
  label: string;
  /** The JSON as received, digits untouched. Invalid JSON is displayed as plain text. */
  text?: string;
  /** Alternatively a parsed value. */
  value?: unknown;
  highlights?: readonly JsonHighlight[];
}

/**
 * Readable JSON: levels fold, long strings and lists are truncated with their length, and every line carries its JSON
 * pointer as `data-pointer` and in its id.
 */
export function JsonView(props: JsonViewProps) {
  const { id, label, text, value, highlights = [], className, ...others } = props;
  const { openLevels = 3, childLimit = 100, valueLimit = 1500, stringLimit = 400, ...rest } = others;
  const root = text === undefined ? readJsonValue(value) : readJsonText(text);
  if (!root) {
    return (
      <CodeBlock {...rest} id={id} label={label} labelHidden code={text ?? String(value)} wrap className={className} />
    );
  }
  const folded = foldJson(root, highlights, { openLevels, childLimit, valueLimit, stringLimit });
  return (
    <div {...rest} {...scrollable(label)} className={joinClasses(styles.view, className)}>
      <Value json={folded} idPrefix={id} last />
    </div>
  );
}

interface ValueProps {
  json: FoldedJson;
  idPrefix: string;
  /** The last of its parent, written without a comma. */
  last: boolean;
}

function Value({ json, idPrefix, last }: ValueProps) {
  const location = json.addressable ? { id: `${idPrefix}${json.pointer}`, "data-pointer": json.pointer } : {};
  const mark = json.highlights[0] && styles.highlight[json.highlights[0].tone];
  const comma = last ? "" : ",";
  if (json.kind !== "object" && json.kind !== "array") {
    return (
      <div {...location} className={joinClasses(styles.line, mark)}>
        <Key json={json} />
        <span className={styles.value[json.kind]}>{json.text}</span>
        <Punctuation text={comma} />
        {json.fullLength && (
          <span className={styles.punctuation}>{` ${json.fullLength.toLocaleString("en")} characters`}</span>
        )}
        <Notes json={json} />
      </div>
    );
  }
  const [opening, closing] = json.kind === "object" ? ["{", "}"] : ["[", "]"];
  if (json.size === 0) {
    return (
      <div {...location} className={joinClasses(styles.line, mark)}>
        <Key json={json} />
        <Punctuation text={opening + closing + comma} />
        <Notes json={json} />
      </div>
    );
  }
  return (
    <details {...location} open={json.open} className={styles.branch}>
      <summary className={joinClasses(styles.opener, mark)}>
        <Key json={json} />
        <Punctuation text={opening} />
        <span className={styles.closedSize}>{` ${getSize(json)} ${closing}${comma}`}</span>
        <Notes json={json} />
      </summary>
      <div className={styles.children}>
        {json.children.map((child, index) => (
          <Value
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and nothing is ever reordered
            key={index}
            json={child}
            idPrefix={idPrefix}
            last={index === json.children.length - 1 && json.hidden === 0}
          />
        ))}
        {json.hidden > 0 && <div className={styles.more}>{`… ${json.hidden.toLocaleString("en")} more not shown`}</div>}
      </div>
      <div className={styles.line}>
        <Punctuation text={closing + comma} />
      </div>
    </details>
  );
}

function Key({ json }: { json: FoldedJson }) {
  if (json.key === undefined) return null;
  return (
    <>
      <span className={styles.key}>{JSON.stringify(json.key)}</span>
      <Punctuation text=": " />
    </>
  );
}

function Punctuation({ text }: { text: string }) {
  return text ? <span className={styles.punctuation}>{text}</span> : null;
}

function Notes({ json }: { json: FoldedJson }) {
  return json.highlights.map(
    ({ tone, note }) =>
      note && (
        <span key={note} className={styles.note[tone]}>
          <Icon name={toneIcons[tone]} className={styles.noteIcon} />
          {note}
        </span>
      ),
  );
}

function getSize({ kind, size }: FoldedJson): string {
  const noun = kind === "object" ? "member" : "item";
  return `${size.toLocaleString("en")} ${size === 1 ? noun : `${noun}s`}`;
}
