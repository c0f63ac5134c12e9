import { createContext, useContext } from "react";
import type { NamedPart } from "#libraries/redaction/secret-signs.ts";
import type { PairRow } from "../test-form-values.ts";
import { getCredentialAddress, hasTypedSecret } from "../typed-secret.ts";
import type { EditorField } from "./editor-form.ts";
import { FieldWarning } from "./field-warning.tsx";
import * as styles from "./row-cells.css";

/** Base URL that a secret is sent to; undefined for viewers who may not store credentials. */
export const CredentialTarget = createContext<string | undefined>(undefined);

interface SecretNoteProps {
  row: EditorField<PairRow>;
  part: NamedPart;
}

/** Id of a row's note, which describes its value; undefined without one. */
export function getSecretNoteId({ row, part }: SecretNoteProps): string | undefined {
  const { name, value } = row.getFieldset();
  return hasTypedSecret(part, name.value ?? "", value.value ?? "") ? `${value.id}-secret` : undefined;
}

/** Says that a typed value is a secret, and offers to store it as a credential. */
export function SecretNote({ row, part }: SecretNoteProps) {
  const target = useContext(CredentialTarget);
  const id = getSecretNoteId({ row, part });
  if (!id) return null;
  const { name, value } = row.getFieldset();
  const address =
    target === undefined ? undefined : getCredentialAddress(part, name.value ?? "", value.value ?? "", target);
  return (
    <div id={id} className={styles.note}>
      <FieldWarning>
        This looks like a secret. It is masked in results, but everyone who can open this test can see it.
        {address && (
          <>
            {" "}
            <a href={address} target="_blank" rel="noreferrer">
              Store it as a credential in a new tab
            </a>
          </>
        )}
      </FieldWarning>
    </div>
  );
}
