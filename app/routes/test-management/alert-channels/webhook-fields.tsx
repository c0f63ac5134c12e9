import { templateMediaTypes, templateValueNames, templateValues } from "#contracts/test-analyzer/template-values.ts";
import { fieldProps } from "~/forms/field-props";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Row, Stack } from "~/ui/layout/layout";
import { Select } from "~/ui/select/select";
import { Table } from "~/ui/table/table";
import { TextArea } from "~/ui/text-area/text-area";
import { TextField } from "~/ui/text-field/text-field";
import type { TargetFieldsProps } from "./target-fields";

/** Address, and for receivers with a format of their own the body and headers. */
export function WebhookFields(props: Omit<TargetFieldsProps, "members">) {
  const { fields, headerNames = [], preview } = props;
  const isUsed = Boolean(
    preview ??
      (fields.body.initialValue || fields.body.errors || fields.secretHeaders.errors || headerNames.length > 0),
  );
  return (
    <Stack>
      <TextField
        label="Webhook URL"
        hint={
          <>
            Alerts are sent there as signed JSON (POST). <a href={href("/alert-webhooks")}>Payload and verification</a>
          </>
        }
        code
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://hooks.example.com/alerts"
        {...fieldProps(fields.url)}
      />
      <Disclosure summary="Body and headers of your own" open={isUsed}>
        <Stack>
          <TemplateFields fields={fields} preview={preview} />
          <HeaderFields fields={fields} headerNames={headerNames} />
        </Stack>
      </Disclosure>
    </Stack>
  );
}

function TemplateFields({ fields, preview }: Pick<TargetFieldsProps, "fields" | "preview">) {
  return (
    <>
      <TextArea
        label="Body"
        required={false}
        code
        rows={6}
        hint="{{name}} is replaced by a value. Leave it empty for the documented body. With a body, each incident is sent in a request of its own."
        placeholder={'{"text": "{{title}}", "link": "{{link}}"}'}
        {...fieldProps(fields.body)}
      />
      <Select
        label="Its media type"
        hint="Values are encoded for it."
        width="medium"
        options={templateMediaTypes.map((value) => ({ value, label: value }))}
        {...fieldProps(fields.mediaType)}
      />
      <Row justify="start">
        <Button formNoValidate name="intent" value="preview">
          Preview with examples
        </Button>
      </Row>
      {preview !== undefined && <CodeBlock label="The body with examples" code={preview} wrap />}
      <Disclosure summary="Names of values">
        <Table
          caption="Values for the body"
          captionHidden
          rows={templateValueNames.map((name) => ({ name, ...templateValues[name] }))}
          rowKey={({ name }) => name}
          columns={[
            { key: "name", header: "Name", rowHeader: true, cell: ({ name }) => <code>{`{{${name}}}`}</code> },
            { key: "what", header: "Value", selfEvident: true, cell: ({ description }) => description },
            { key: "example", header: "Example", clipped: true, cell: ({ example }) => String(example) },
          ]}
        />
      </Disclosure>
    </>
  );
}

function HeaderFields({ fields, headerNames = [] }: Pick<TargetFieldsProps, "fields" | "headerNames">) {
  return (
    <>
      <TextArea
        label="Additional headers"
        required={false}
        code
        rows={2}
        hint={
          headerNames.length > 0
            ? `Stored: ${headerNames.join(", ")}. Values are not shown. Leave it empty to keep them.`
            : "One per line, e.g. Authorization: Bearer … They are stored encrypted and never shown again."
        }
        {...fieldProps(fields.secretHeaders)}
        defaultValue={undefined}
      />
      {headerNames.length > 0 && (
        <Checkbox
          label="Remove the stored headers"
          name={fields.removesHeaders.name}
          id={fields.removesHeaders.id}
          defaultChecked={fields.removesHeaders.initialValue === "on"}
        />
      )}
    </>
  );
}
