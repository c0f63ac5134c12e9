import { StoredFileField } from "~/features/request-files/stored-file-field";
import { Select } from "~/ui/select/select";
import { TextArea } from "~/ui/text-area/text-area";
import type { RequestBodyField } from "./request-body";
import { getReferenceField, type RequestFileField } from "./request-files";

export interface RequestBodyFieldsProps {
  body: RequestBodyField;
  getErrors: (field: string) => string[];
  typedOr: (name: string, initial: string) => string;
}

/** Media type, text and files of the body. */
export function RequestBodyFields({ body, getErrors, typedOr }: RequestBodyFieldsProps) {
  const { mediaTypes, mediaType, text, required, files } = body;
  const areForms = mediaTypes.every((type) => /form|^multipart/i.test(type));
  return (
    <>
      {mediaTypes.length > 1 && (
        <Select
          label="Body as"
          id="send-mediaType"
          name="mediaType"
          defaultValue={typedOr("mediaType", mediaType)}
          options={mediaTypes.map((value) => ({ value, label: value }))}
        />
      )}
      {mediaTypes.length === 1 && <input type="hidden" name="mediaType" value={mediaType} />}
      {text !== undefined && (
        <TextArea
          label={files.length > 0 && areForms ? "Other fields" : "Body"}
          id="send-body"
          name="body"
          required={required && files.length === 0 ? undefined : false}
          hint={/form|^multipart/i.test(mediaType) ? "One field per line, such as name=value." : undefined}
          code
          rows={Math.min(16, Math.max(4, text.split("\n").length + 1))}
          errors={getErrors("body")}
          defaultValue={typedOr("body", text)}
        />
      )}
      {files.map((field) => {
        const reference = getReferenceField(field.name);
        return (
          <StoredFileField
            key={field.name}
            label={field.part === undefined ? "File" : <code>{field.part}</code>}
            id={`send-${field.name}`}
            name={field.name}
            reference={{ name: reference, value: typedOr(reference, "") }}
            required={field.required ? undefined : false}
            multiple={field.many}
            hint={describeFileField(field, mediaTypes)}
            errors={getErrors(field.name)}
          />
        );
      })}
    </>
  );
}

/** Where the body has several media types, those that the file belongs to. */
function describeFileField({ many, part, mediaTypes }: RequestFileField, all: readonly string[]): string {
  const sent = many ? "Files are sent unchanged" : "Sent unchanged";
  const types = mediaTypes.join(" or ");
  const where = part === undefined ? ` as ${types}` : all.length > mediaTypes.length ? ` in ${types}` : "";
  return `${sent}${where}. At most 10 MiB${many ? " each" : ""}.`;
}
