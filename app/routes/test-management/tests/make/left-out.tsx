import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import * as styles from "./make-form.css";
import { type DisplayedCircle, operationValue } from "./making";

/** Operations that no circle calls, each with the reason. */
export function LeftOut({ apiId, operations }: { apiId: string; operations: DisplayedCircle["leftOut"] }) {
  if (operations.length === 0) return null;
  const count = operations.length;
  return (
    <Disclosure look="framed" summary={`${plural(count, "operation")} ${count === 1 ? "is" : "are"} in no circle`}>
      <ul className={styles.list}>
        {operations.map(({ operation, reason }) => (
          <li key={operationValue(operation)}>
            <OperationName {...operation} /> {reason} <WriteIt apiId={apiId} {...operation} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

export function WriteIt({ apiId, method, path }: { apiId: string; method: string; path: string }) {
  return (
    <a href={href("/test-management/:apiId/tests/create/:pathName/:method", { apiId, pathName: path, method })}>
      Write it yourself
    </a>
  );
}
