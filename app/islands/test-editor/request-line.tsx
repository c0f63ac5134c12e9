import { OperationName } from "~/features/operation/operation-name";
import type { EditorContext, RequestAddress } from "~/features/test-editor/editor-props";
import * as styles from "./request-line.css";

export interface RequestLineProps {
  context: EditorContext;
  address: RequestAddress | undefined;
}

/** Method and address of the request, as a run would send it. */
export function RequestLine({
  context: { operation, baseUrl, environment, ownServerNote },
  address,
}: RequestLineProps) {
  return (
    <div className={styles.request}>
      <OperationName method={operation.method} path={operation.path} className={styles.operation} />
      <p className={styles.address}>
        <Destination url={address?.url ?? baseUrl} />
        {environment && <> · environment {environment}</>}
      </p>
      {address?.server && ownServerNote && (
        <p className={styles.address}>
          Sent to <code>{baseUrl}</code>, {ownServerNote}.
        </p>
      )}
      {address?.reason && <p className={styles.address}>{address.reason}</p>}
    </div>
  );
}

function Destination({ url }: { url: string | null }) {
  return url === null ? <a href="#test-request.baseUrl">Set the base URL</a> : <code>{url}</code>;
}
