import type { FieldMetadata } from "@conform-to/react";
import { maximumDocumentBytes, maximumDocumentFiles } from "#contracts/api-registry/document-sources.ts";
import { fieldProps } from "~/forms/field-props";
import { FileField } from "~/ui/file-field/file-field";
import { Stack } from "~/ui/layout/layout";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import type { StagedFiles } from "./document-source.server";
import * as styles from "./document-source-fields.css";

/** React has no property for this attribute. */
const folder = { webkitdirectory: "" };

type Field = FieldMetadata<unknown, Record<string, unknown>, string[]>;

export interface DocumentSourceFieldsProps {
  fields: Record<
    "way" | "url" | "documentFile" | "otherFiles" | "document" | "fileName" | "attachedFiles" | "staged" | "stagedName",
    Field
  >;
  /** Replaces the submitted values, e.g. after a check that read the chosen file. */
  staged?: StagedFiles;
  /** The page has just this purpose. */
  autoFocus?: boolean;
}

/** Source of the document: one of three methods, whose fields are visible when it is chosen. */
export function DocumentSourceFields({ fields, staged: kept, autoFocus }: DocumentSourceFieldsProps) {
  const way = kept?.way ?? (typeof fields.way.initialValue === "string" ? fields.way.initialValue : "url");
  const displayed = kept?.way === "text" ? kept : undefined;
  const staged = kept?.way === "file" ? kept : undefined;
  const fileName = displayed?.fileName ?? fieldProps(fields.fileName).defaultValue;
  const attachedFiles = displayed?.attachedFiles ?? fieldProps(fields.attachedFiles).defaultValue;
  return (
    <Stack gap="large" className={styles.fields}>
      <RadioGroup
        label="Import from"
        name={fields.way.name}
        id={fields.way.id}
        defaultValue={way}
        inline
        options={[
          { value: "url", label: "URL" },
          { value: "file", label: "File" },
          { value: "text", label: "Paste" },
        ]}
      />
      <TextField
        label="Document URL"
        hint="Referenced files are fetched too."
        inputMode="url"
        placeholder="https://api.example.com/openapi.json"
        code
        autoFocus={autoFocus && way === "url"}
        {...fieldProps(fields.url)}
        className={styles.url}
      />
      <Stack className={styles.file}>
        {staged && (
          <>
            <p>
              <strong>{staged.stagedName}</strong> is kept for an hour. Choose another file only to replace it.
            </p>
            <input type="hidden" name={fields.staged.name} value={staged.staged} />
            <input type="hidden" name={fields.stagedName.name} value={staged.stagedName} />
          </>
        )}
        <FileField
          label={staged ? "Another document" : "Document"}
          required={!staged}
          hint={`OpenAPI 2.0 to 3.2, JSON or YAML. Including referenced files at most ${maximumDocumentBytes / 1024 / 1024} MiB and ${maximumDocumentFiles.toLocaleString("en")} files.`}
          accept=".json,.yaml,.yml,application/json,application/yaml"
          {...fieldProps(fields.documentFile)}
        />
        <FileField
          label="Referenced files"
          hint="Only if the document is spread over several files."
          required={false}
          multiple
          {...fieldProps(fields.otherFiles)}
        />
        <FileField
          label="Or the folder they are in"
          hint="Includes subfolders. Most browsers support this."
          required={false}
          multiple
          {...folder}
          name={fields.otherFiles.name}
          id={`${fields.otherFiles.id}-folder`}
        />
      </Stack>
      <Stack className={styles.text} gap="small">
        <TextArea
          label={fileName ? `Document from ${fileName}` : "Document"}
          hint="JSON or YAML."
          code
          rows={14}
          {...fieldProps(fields.document)}
          {...(displayed ? { defaultValue: displayed.document } : {})}
        />
        {fileName && <input type="hidden" name={fields.fileName.name} value={fileName} />}
        {attachedFiles && <input type="hidden" name={fields.attachedFiles.name} value={attachedFiles} />}
      </Stack>
    </Stack>
  );
}
