import { getFormProps, useForm } from "@conform-to/react";
import { RunKey } from "~/features/runs/run-key";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { Button, DefaultSubmit, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Row, Stack } from "~/ui/layout/layout";
import { TextField } from "~/ui/text-field/text-field";
import { KindField, TargetFields } from "./channel-fields";
import type { ChannelFormFields } from "./channel-form";
import type { ChannelResult } from "./channel-form.server";
import type { TargetFieldsProps } from "./target-fields";

export interface ChannelEditorProps extends Pick<TargetFieldsProps, "members" | "host" | "headerNames"> {
  /** Initial values; submitted values replace them. */
  first: ChannelFormFields;
  result: ChannelResult | undefined;
  saveLabel: string;
  cancelHref: string;
  runKey: string;
  /** For a stored channel: the version that is replaced, which detects concurrent changes. Its kind is fixed. */
  version?: number;
  /** The form's target, without the search parameters of a list or a dialog. */
  action?: string;
}

/** The form of a channel, new or stored. */
export function ChannelEditor(props: ChannelEditorProps) {
  const { first, result, saveLabel, cancelHref, runKey, host, headerNames, version, action } = props;
  const stored = useSavedResult();
  const [form, fields] = useForm<ChannelFormFields>({
    id: "channel",
    lastResult: result?.result ?? stored,
    defaultValue: first,
  });
  const isStored = version !== undefined;
  return (
    <form method="post" action={action} {...getFormProps(form)}>
      <DefaultSubmit name="intent" value="save" />
      <RunKey value={runKey} />
      <Stack gap="huge">
        <FormErrorSummary form={form} />
        <Card title={isStored ? "Settings" : undefined}>
          <Stack gap="huge">
            {isStored ? (
              <>
                <input type="hidden" name="version" value={version} />
                <input type="hidden" name="kind" value={first.kind} />
              </>
            ) : (
              <KindField field={fields.kind} />
            )}
            <TextField
              label="Name"
              hint="Alert rules choose it by this name."
              autoComplete="off"
              {...fieldProps(fields.name)}
            />
            <TargetFields
              fields={fields}
              members={result?.members ?? props.members}
              kind={isStored ? first.kind : undefined}
              {...{ host, headerNames }}
              preview={result?.preview}
            />
            <Checkbox
              label="On"
              hint="Disabled channels receive only test alerts."
              name={fields.enabled.name}
              id={fields.enabled.id}
              defaultChecked={fields.enabled.initialValue === "on"}
            />
          </Stack>
        </Card>
        <Row>
          <Button variant="primary" name="intent" value="save">
            {saveLabel}
          </Button>
          <LinkButton href={cancelHref} variant="quiet">
            Cancel
          </LinkButton>
        </Row>
      </Stack>
    </form>
  );
}
