import { Disclosure } from "~/ui/disclosure/disclosure";
import type { EditorForm } from "../sections/editor-form.ts";
import { assertionOf } from "../suggested-assertion.ts";
import { AssertButton } from "./assert-button.tsx";
import * as styles from "./response-headers.css";

export interface ResponseHeadersProps {
  form: EditorForm;
  headers: readonly (readonly [string, string])[];
}

export function ResponseHeaders({ form, headers }: ResponseHeadersProps) {
  return (
    <Disclosure summary={`Headers (${headers.length})`}>
      <ul className={styles.list}>
        {headers.map(([name, value]) => (
          <li key={`${name} ${value}`} className={styles.header}>
            <span>
              <code className={styles.name}>{name}</code> <code>{value}</code>
            </span>
            <AssertButton form={form} assertion={assertionOf("header", "equals", value, name)} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
