import { useMemo } from "react";
import type { JsonNode } from "~/ui/json-view/json-node";
import { scrollable } from "~/ui/scrollable";
import type { JsonStep } from "../json-path-of.ts";
import type { EditorForm } from "../sections/editor-form.ts";
import { assertionInWords, assertionOfNode } from "../suggested-assertion.ts";
import * as styles from "./response-tree.css";

const mostChildren = 50;
const mostValues = 250;
const openLevels = 3;
const longestShown = 120;

export interface ResponseTreeProps {
  form: EditorForm;
  root: JsonNode;
}

/** JSON in which every value is a button that creates an assertion. */
export function ResponseTree({ form, root }: ResponseTreeProps) {
  const shown = useMemo(() => countShown(root), [root]);
  return (
    <div {...scrollable("Response body")} className={styles.tree}>
      <Value form={form} node={root} steps={[]} shown={shown} />
    </div>
  );
}

interface ValueProps {
  form: EditorForm;
  node: JsonNode;
  steps: readonly JsonStep[];
  shown: ReadonlySet<JsonNode>;
  name?: string;
}

function Value({ form, node, steps, shown, name }: ValueProps) {
  const children = childrenOf(node);
  if (!children) {
    return (
      <div className={styles.line}>
        <Name name={name} />
        <ValueButton form={form} node={node} steps={steps} label={literal(node)} />
      </div>
    );
  }
  const visible = children.filter(({ child }) => shown.has(child));
  const noun = node.kind === "array" ? "item" : "member";
  const size = `${children.length} ${children.length === 1 ? noun : `${noun}s`}`;
  return (
    <details open={steps.length < openLevels} className={styles.branch}>
      <summary className={styles.opener}>
        <Name name={name} />
        <span className={styles.size}>{node.kind === "array" ? `[ ${size} ]` : `{ ${size} }`}</span>
      </summary>
      <div className={styles.children}>
        <ValueButton
          form={form}
          node={node}
          steps={steps}
          label={node.kind === "array" ? "assert length" : "assert type"}
        />
        {visible.map(({ step, child }) => (
          <Value key={step} form={form} node={child} steps={[...steps, step]} shown={shown} name={String(step)} />
        ))}
        {visible.length < children.length && (
          <p className={styles.size}>… {children.length - visible.length} more not shown</p>
        )}
      </div>
    </details>
  );
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span className={styles.name}>{name}: </span>;
}

function ValueButton({ form, node, steps, label }: Omit<ValueProps, "shown" | "name"> & { label: string }) {
  const assertion = assertionOfNode(node, steps);
  const words = assertionInWords(assertion);
  // Voice control needs the visible text in the accessible name.
  const name = `${childrenOf(node) ? label : "Assert"}: ${words}`;
  return (
    <button
      type="submit"
      {...form.insert.getButtonProps({ name: form.getFieldset().assertions.name, defaultValue: assertion })}
      data-asserts={words}
      title={name}
      aria-label={name}
      className={styles.value[node.kind]}
    >
      {label}
    </button>
  );
}

function literal(node: JsonNode): string {
  if (node.kind === "object" || node.kind === "array") return "";
  const text = node.kind === "string" ? JSON.stringify(node.text) : node.text;
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

function childrenOf(node: JsonNode): { step: JsonStep; child: JsonNode }[] | undefined {
  if (node.kind === "array") return node.items.map((child, step) => ({ step, child }));
  if (node.kind !== "object") return undefined;
  // For a repeated name a JSONPath finds the last member.
  return [...new Map(node.members.map(({ key, node: child }) => [key, child]))].map(([step, child]) => ({
    step,
    child,
  }));
}

/** Breadth first, so that the omitted values are deep ones and not those at the end. */
function countShown(root: JsonNode): Set<JsonNode> {
  const shown = new Set<JsonNode>([root]);
  for (const node of shown) {
    for (const { child } of (childrenOf(node) ?? []).slice(0, mostChildren)) {
      if (shown.size >= mostValues) return shown;
      shown.add(child);
    }
  }
  return shown;
}
