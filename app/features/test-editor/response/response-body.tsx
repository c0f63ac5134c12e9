import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import { CodeBlock } from "~/ui/code-block/code-block";
import { readJsonText } from "~/ui/json-view/json-node";
import type { MarkupValue } from "../markup-value.ts";
import type { EditorForm } from "../sections/editor-form.ts";
import { MarkupTree } from "./markup-tree.tsx";
import * as styles from "./response-panel.css";
import { ResponseTree } from "./response-tree.tsx";

/** A larger tree is of no use and slow to render. */
const longestTree = 300_000;
const longestText = 20_000;

export interface ResponseBodyProps {
  form: EditorForm;
  response: ReceivedResponse;
  /** Of an XML body. */
  markup: MarkupValue | undefined;
}

/** The body as a tree of values to assert, or as plain text. */
export function ResponseBody({ form, response, markup }: ResponseBodyProps) {
  const { body, bodyPreview, truncated, bodyBytes } = response;
  if (body === null) {
    return (
      <div>
        <p className={styles.soft}>The body is binary, {bodyBytes.toLocaleString("en")} bytes.</p>
        {bodyPreview && <CodeBlock label="First bytes, in hex" code={bodyPreview} />}
      </div>
    );
  }
  if (bodyBytes === 0) return <p className={styles.soft}>The body is empty.</p>;
  if (markup) return <MarkupTree form={form} root={markup} />;
  const json = !truncated && body.length <= longestTree ? readJsonText(body) : undefined;
  return (
    <div>
      {json ? (
        <ResponseTree form={form} root={json} />
      ) : (
        <CodeBlock label="Body" wrap code={body.slice(0, longestText)} />
      )}
      {(truncated || (!json && body.length > longestText)) && (
        <p className={styles.soft}>Only the first part is shown.</p>
      )}
    </div>
  );
}
