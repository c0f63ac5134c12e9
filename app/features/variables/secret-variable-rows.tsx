import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { fieldProps } from "~/forms/field-props";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import type { toSecretRow } from "./secret-variable-form";
import * as styles from "./secret-variable-rows.css";

type Row = ReturnType<typeof toSecretRow>;

interface SecretVariableRowsProps {
  form: Pick<FormMetadata<Record<string, unknown>>, "insert" | "remove">;
  field: FieldMetadata<Row[]>;
  /** Whether a value is stored under this name: it stays unless a new one is given. */
  isStored(name: string): boolean;
  /** Whether the user may choose where a secret is read. */
  mayRefer: boolean;
  legend?: string;
  hint?: string;
}

const sourceOptions = [
  { value: "here", label: "Stored here" },
  { value: "vault", label: "From Vault" },
  { value: "environment", label: "From the worker's environment" },
];

const plain = { code: true, autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;

/** For those who may not choose where a secret is read: it stays as it is. */
function KeptReference({
  fields,
}: {
  fields: Record<"path" | "key" | "variable", { name: string; initialValue?: string | undefined }>;
}) {
  const { path, key, variable } = fields;
  return (
    <p>
      Read from <code>{variable.initialValue || `${path.initialValue}, ${key.initialValue}`}</code>
      {Object.values(fields).map(({ name, initialValue }) => (
        <input key={name} type="hidden" name={name} value={initialValue ?? ""} />
      ))}
    </p>
  );
}

/** Secret variables: each with a value that is stored encrypted, or with where it is read. */
export function SecretVariableRows({ form, field, isStored, mayRefer, legend, hint }: SecretVariableRowsProps) {
  return (
    <RepeatedRows
      id={field.id}
      legend={legend ?? "Secret"}
      hint={
        hint ??
        "Masked everywhere in results. Stored here, a value is encrypted and never shown again; otherwise it is read whenever a test uses it."
      }
      errors={field.errors}
      empty="None."
      addLabel="Add a secret variable"
      add={form.insert.getButtonProps({ name: field.name })}
      rows={field.getFieldList().map((row, index) => {
        const { name, from, secret, path, key, variable } = row.getFieldset();
        const isHere = (from.initialValue ?? "here") === "here";
        const isKept = isHere && isStored(name.initialValue ?? "");
        return {
          key: row.key ?? String(index),
          removeLabel: `Remove secret variable ${name.initialValue || index + 1}`,
          remove: form.remove.getButtonProps({ name: field.name, index }),
          fields: (
            <div className={styles.secret}>
              <TextField label="Name" code autoCapitalize="none" {...fieldProps(name)} />
              {mayRefer ? (
                <Select label="The value is" options={sourceOptions} {...fieldProps(from)} />
              ) : (
                <input type="hidden" name={from.name} value={from.initialValue ?? "here"} />
              )}
              {(mayRefer || isHere) && (
                <TextField
                  label="Value"
                  type="password"
                  autoComplete="off"
                  code
                  required={!mayRefer && !isKept}
                  hint={isKept ? "Stored. Leave it empty to keep it." : undefined}
                  className={styles.groups.here}
                  {...fieldProps(secret)}
                />
              )}
              {mayRefer ? (
                <>
                  <TextField
                    label="Path in Vault"
                    placeholder="shop/production"
                    required={false}
                    className={styles.groups.vault}
                    {...plain}
                    {...fieldProps(path)}
                  />
                  <TextField
                    label="Key in Vault"
                    placeholder="password"
                    required={false}
                    className={styles.groups.vault}
                    {...plain}
                    {...fieldProps(key)}
                  />
                  <TextField
                    label="Environment variable"
                    placeholder="ASSURANCE_SECRET_SHOP"
                    required={false}
                    className={styles.groups.environment}
                    {...plain}
                    {...fieldProps(variable)}
                  />
                </>
              ) : (
                !isHere && <KeptReference fields={{ path, key, variable }} />
              )}
            </div>
          ),
        };
      })}
    />
  );
}
