import type { ReactNode } from "react";
import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import { FileField } from "~/ui/file-field/file-field";
import { readFileReference } from "../file-reference.ts";
import { type EditorField, textProps } from "./editor-form.ts";

export interface FileChoiceProps {
  label: ReactNode;
  upload: EditorField<string>;
  /** Names the file that is stored already. */
  file: EditorField<string>;
  hint?: string;
}

/** A file input. The file chosen before stays chosen, since no browser fills the input again. */
export function FileChoice({ label, upload, file, hint }: FileChoiceProps) {
  const { name, id, errors } = textProps(upload);
  const { defaultValue } = textProps(file);
  const stored = readFileReference(defaultValue);
  return (
    <>
      <input type="hidden" name={file.name} defaultValue={defaultValue} />
      <FileField
        label={label}
        name={name}
        id={id}
        errors={errors}
        hint={
          stored ? (
            <>
              <a href={href("/test-management/files/:sha256", { sha256: stored.sha256 }, { name: stored.name })}>
                {stored.name}
              </a>
              , {plural(stored.size, "byte")}, is chosen. Another one replaces it.
            </>
          ) : (
            hint
          )
        }
      />
    </>
  );
}
