import { autocompletion, type CompletionContext, type CompletionResult, closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { errorId, hintId } from "~/ui/field/field-attributes";
import { completeJson } from "./complete-json.ts";
import * as styles from "./json-editor.css";
import { judgeJson } from "./judge-json.ts";
import type { JsonSchema } from "./schema-steps.ts";

const highlighting = HighlightStyle.define([
  { tag: tags.string, class: styles.token.string },
  { tag: tags.number, class: styles.token.number },
  { tag: [tags.bool, tags.null], class: styles.token.keyword },
]);

/**
 * Replaces a text area by a code editor; the text area stays in the form and keeps the value. The Tab key leaves the
 * editor like any field, so it is no keyboard trap.
 * @returns restores the text area.
 */
export function mountJsonEditor(area: HTMLTextAreaElement, schemaAddress: string): () => void {
  const fieldId = area.id;
  const schema = loadSchema(schemaAddress);
  let known: JsonSchema | undefined;

  const { selectionStart: anchor, selectionEnd: head } = area;
  const isTypedIn = area === document.activeElement;

  const frame = document.createElement("div");
  frame.className = styles.frame;
  // Inserted before the editor is made, which measures its lines at once.
  area.before(frame);
  const view = new EditorView({
    parent: frame,
    state: EditorState.create({
      doc: area.value,
      selection: { anchor, head },
      extensions: [
        EditorView.cspNonce.of(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""),
        history(),
        drawSelection(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        lineNumbers(),
        bracketMatching(),
        closeBrackets(),
        json(),
        syntaxHighlighting(highlighting),
        lintGutter(),
        linter(async ({ state }) => judgeJson(state.doc.toString(), await schema).map(getDiagnostic), { delay: 400 }),
        autocompletion({ override: [(context) => complete(context, known)], icons: false }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          id: fieldId,
          "aria-label": "JSON",
          "aria-describedby": `${hintId(fieldId)} ${errorId(fieldId)}`,
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (!docChanged) return;
          area.value = state.doc.toString();
          // The form listens for input events, as when typing into the text area.
          area.dispatchEvent(new Event("input", { bubbles: true }));
        }),
      ],
    }),
  });
  void schema.then((loaded) => {
    known = loaded;
  });

  // The error summary and the label link to the field's id, which moves to the editor.
  area.id = `${fieldId}-text`;
  area.hidden = true;
  const focusEditor = () => view.focus();
  if (isTypedIn) focusEditor();
  const label = document.querySelector(`label[for="${CSS.escape(fieldId)}"]`);
  label?.addEventListener("click", focusEditor);

  return () => {
    label?.removeEventListener("click", focusEditor);
    view.destroy();
    frame.remove();
    area.id = fieldId;
    area.hidden = false;
  };
}

/** Undefined if there is none or it can't be loaded: the editor then checks syntax only. */
async function loadSchema(address: string): Promise<JsonSchema | undefined> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" } });
    if (!response.ok || response.redirected) return undefined;
    const { schema, components } = (await response.json()) as Partial<JsonSchema>;
    return schema === undefined ? undefined : { schema, components: components ?? {} };
  } catch {
    return undefined;
  }
}

function getDiagnostic({ from, to, message, kind }: ReturnType<typeof judgeJson>[number]): Diagnostic {
  return { from, to, message, severity: kind === "syntax" ? "error" : "warning" };
}

function complete(context: CompletionContext, schema: JsonSchema | undefined): CompletionResult | null {
  const found = schema && completeJson(context.state.doc.toString(), context.pos, schema);
  if (!found) return null;
  // Requested by Ctrl+Space, or while a name or value is being typed.
  if (!context.explicit && !context.matchBefore(/["\w-]$/)) return null;
  return {
    from: found.from,
    to: found.to,
    filter: true,
    // Without a delay: a pending list accepts no click and no Enter.
    update: (_result, _from, _to, now) => complete(now, schema),
    options: found.options.map(({ label, insert, detail, description, required }) => ({
      label: insert.startsWith('"') ? insert.replace(/: $/, "") : insert,
      displayLabel: label,
      apply: insert,
      detail: required ? `${detail}, required` : detail,
      info: description,
      boost: required ? 1 : 0,
    })),
  };
}
