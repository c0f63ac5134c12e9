import type { ReactNode } from "react";
import { StoredFileField } from "~/features/request-files/stored-file-field";
import { type EditorField, textProps } from "./editor-form.ts";

export interface FileChoiceProps {
  label: ReactNode;
  upload: EditorField<string>;
  /** Names the file that is stored already. */
  file: EditorField<string>;
  hint?: string;
}

/** The editor's file input, with the file chosen before. */
export function FileChoice({ label, upload, file, hint }: FileChoiceProps) {
  const { name, id, errors } = textProps(upload);
  const reference = { name: file.name, value: textProps(file).defaultValue };
  return <StoredFileField {...{ label, name, id, errors, reference, hint }} />;
}
