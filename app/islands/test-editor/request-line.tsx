import { OperationName } from "~/operation/operation-name";
import type { EditorContext } from "~/test-editor/editor-props";
import * as styles from "./request-line.css";

/** What is sent and where to. */
export function RequestLine({ context: { operation, baseUrl, environment } }: { context: EditorContext }) {
  return (
    <div className={styles.request}>
      <OperationName method={operation.method} path={operation.path} className={styles.operation} />
      <p className={styles.address}>
        {baseUrl === null ? <a href="#test-request.baseUrl">Set the base URL</a> : <code>{baseUrl}</code>}
        {environment && <> · environment {environment}</>}
      </p>
    </div>
  );
}
