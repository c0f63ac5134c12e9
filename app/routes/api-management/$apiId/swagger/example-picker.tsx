import type { OperationKey } from "~/features/operation/operation-key";
import { href } from "~/href";
import { islandAttributes } from "~/islands/island-attributes";
import { Button } from "~/ui/button/button";
import { Stack } from "~/ui/layout/layout";
import { Select, type SelectOption } from "~/ui/select/select";
import * as styles from "./operation.css";

export interface ExamplePickerProps {
  apiId: string;
  operation: OperationKey;
  choices: readonly SelectOption[];
  picked?: string;
  /** Groups of the sidebar that the user has opened. */
  open?: string;
}

/** Puts one of the document's examples into the code and the request body; the island avoids the reload. */
export function ExamplePicker({ apiId, operation: { method, path }, choices, picked, open }: ExamplePickerProps) {
  return (
    <form
      method="get"
      action={href("/api-management/:apiId/swagger/operation", { apiId })}
      {...islandAttributes("swagger-viewer")}
      data-when="idle"
      data-part="example"
    >
      <input type="hidden" name="method" value={method} />
      <input type="hidden" name="path" value={path} />
      {open && <input type="hidden" name="open" value={open} />}
      <Stack gap="small">
        <div className={styles.picker}>
          <Select
            label="Example"
            id="example"
            name="example"
            defaultValue={picked}
            options={choices}
            className={styles.choice}
          />
          <Button>Use it</Button>
        </div>
        <p role="status" className={styles.filled} data-filled hidden>
          It is in the code and in the body to send.
        </p>
      </Stack>
    </form>
  );
}
