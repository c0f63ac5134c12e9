import type { ReactNode } from "react";
import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import { FileField, type FileFieldProps } from "~/ui/file-field/file-field";
import { readFileReferences } from "./file-reference.ts";

export interface StoredFileFieldProps extends FileFieldProps {
  /** The hidden field beside it, and the references of the files that are stored already. */
  reference: { name: string; value: string };
  hint?: string | undefined;
}

/** A file input. The files chosen before stay chosen, since no browser fills the input again. */
export function StoredFileField({ reference, hint, ...input }: StoredFileFieldProps) {
  const files = readFileReferences(reference.value);
  return (
    <>
      <input type="hidden" name={reference.name} defaultValue={reference.value} />
      <FileField {...input} hint={files.length > 0 ? <ChosenFiles files={files} /> : hint} />
    </>
  );
}

function ChosenFiles({ files }: { files: ReturnType<typeof readFileReferences> }): ReactNode {
  return (
    <>
      {files.map(({ sha256, name, size }, index) => (
        <span key={`${sha256} ${name}`}>
          {index > 0 && ", "}
          <a href={href("/test-management/files/:sha256", { sha256 }, { name })}>{name}</a>, {plural(size, "byte")}
        </span>
      ))}
      {files.length > 1
        ? ", are chosen. Choosing others replaces them."
        : ", is chosen. Choosing another one replaces it."}
    </>
  );
}
