import type { SchemaEntry, SchemaGroup, SchemaNode } from "./schema-node.ts";
import * as styles from "./schema-tree.css";

export interface SchemaTreeProps {
  node: SchemaNode;
  /** The page of a schema that is folded here. */
  getHref(location: string): string;
}

/** A readable schema: one line per property, nested parts in `<details>`. */
export function SchemaTree({ node, getHref }: SchemaTreeProps) {
  return (
    <div className={styles.tree}>
      <div className={styles.line}>
        <TypeWords node={node} />
      </div>
      <NodeDetails node={node} />
      <Parts node={node} getHref={getHref} />
    </div>
  );
}

function TypeWords({ node }: { node: SchemaNode }) {
  const { type, format, componentName, marks } = node;
  return (
    <>
      <span className={styles.type}>
        {componentName && !type.includes(componentName) ? `${componentName}, ${type}` : type}
        {format && ` (${format})`}
      </span>
      {marks.map((mark) => (
        <span key={mark} className={styles.mark}>
          {mark}
        </span>
      ))}
    </>
  );
}

function NodeDetails({ node }: { node: SchemaNode }) {
  const { descriptionHtml, rules, values, hiddenValueCount, defaultValue, examples } = node;
  return (
    <>
      {descriptionHtml && <div className={styles.description} dangerouslySetInnerHTML={{ __html: descriptionHtml }} />}
      {rules.length > 0 && <div className={styles.detail}>{capitalized(rules.join(", "))}</div>}
      {values.length > 0 && (
        <div className={styles.detail}>
          {values.length === 1 && hiddenValueCount === 0 ? "Always " : "One of "}
          <Values values={values} />
          {hiddenValueCount > 0 && ` and ${hiddenValueCount.toLocaleString("en")} more`}
        </div>
      )}
      {defaultValue !== undefined && (
        <div className={styles.detail}>
          Default <Values values={[defaultValue]} />
        </div>
      )}
      {examples.length > 0 && (
        <div className={styles.detail}>
          Example <Values values={examples} />
        </div>
      )}
    </>
  );
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Values({ values }: { values: readonly string[] }) {
  return values.map((value, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat and never move
    <span key={index}>
      {index > 0 && " "}
      <span className={styles.value}>{value}</span>
    </span>
  ));
}

function Parts({ node, getHref }: SchemaTreeProps) {
  if (node.folded) {
    const name = node.componentName ?? "the rest";
    return (
      <div className={styles.detail}>
        {node.folded === "recursion" ? `${name} again: ` : ""}
        <a href={getHref(node.location)}>
          {node.folded === "recursion" ? `see ${name}` : `Show what ${node.componentName ?? "this"} contains`}
        </a>
      </div>
    );
  }
  return (
    <>
      {node.groups.map((group) => (
        <Group key={group.title ?? ""} group={group} getHref={getHref} />
      ))}
      {Boolean(node.hiddenEntryCount) && (
        <div className={styles.detail}>{node.hiddenEntryCount!.toLocaleString("en")} more are not shown</div>
      )}
    </>
  );
}

function Group({ group, getHref }: { group: SchemaGroup; getHref: SchemaTreeProps["getHref"] }) {
  return (
    <>
      {group.title && <div className={styles.groupTitle}>{group.title}</div>}
      <ul className={styles.entries}>
        {group.entries.map((entry) => (
          <li key={entry.label}>
            <Entry entry={entry} getHref={getHref} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Entry({ entry, getHref }: { entry: SchemaEntry; getHref: SchemaTreeProps["getHref"] }) {
  const { label, named, required, node } = entry;
  const words = (
    <>
      {label && <span className={named ? styles.name : styles.label}>{label}</span>}
      <TypeWords node={node} />
      {required && <span className={styles.required}>required</span>}
    </>
  );
  if (node.groups.length === 0) {
    return (
      <>
        <div className={styles.line}>{words}</div>
        <NodeDetails node={node} />
        <Parts node={node} getHref={getHref} />
      </>
    );
  }
  return (
    <details>
      <summary className={styles.opener}>{words}</summary>
      <NodeDetails node={node} />
      <Parts node={node} getHref={getHref} />
    </details>
  );
}
