import type { FormMetadata, useForm } from "@conform-to/react";
import { severities } from "#contracts/test-analyzer/alert-rules.ts";
import { kindWords } from "~/features/alerts/channel-words";
import { severityWords } from "~/features/incidents/incident-words";
import { TimeZoneField } from "~/features/time-zone/time-zone-field";
import { checkboxProps, choicesProps, fieldProps } from "~/forms/field-props";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Row, Stack } from "~/ui/layout/layout";
import { CheckboxGroup } from "~/ui/radio-group/radio-group";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import type { LoadedRule } from "./rule.server";
import * as styles from "./rule-fields.css";
import { createsChannel, type RuleFormFields } from "./rule-form";

type Fields = ReturnType<typeof useForm<RuleFormFields>>[1];

const severityOptions = severities.map((value) => ({ value, label: severityWords[value].word }));

export function OpeningFields({ form, fields }: { form: FormMetadata<RuleFormFields>; fields: Fields }) {
  return (
    <Card title="When a failure is an incident">
      <Stack gap="large">
        <TextField
          label="Consecutive failing runs"
          hint="1 to 10. Manual runs don't count. Leave empty to use only the minutes."
          required={false}
          inputMode="numeric"
          width="short"
          {...fieldProps(fields.afterRuns)}
        />
        <TextField
          label="Or minutes failing, whichever comes first"
          required={false}
          inputMode="numeric"
          width="short"
          {...fieldProps(fields.afterMinutes)}
        />
        <Select label="Severity" width="short" options={severityOptions} {...fieldProps(fields.severity)} />
        <RepeatedRows
          id={fields.severities.id}
          legend="Severity by tag"
          look="label"
          hint="For tests with this tag. If several match, the most severe counts."
          errors={fields.severities.errors}
          empty="None."
          addLabel="Add a tag"
          add={form.insert.getButtonProps({
            name: fields.severities.name,
            defaultValue: { tag: "", severity: "critical" },
          })}
          rows={fields.severities.getFieldList().map((row, index) => {
            const { tag, severity } = row.getFieldset();
            return {
              key: row.key ?? String(index),
              removeLabel: `Remove tag ${tag.initialValue || index + 1}`,
              remove: form.remove.getButtonProps({ name: fields.severities.name, index }),
              fields: (
                <>
                  <TextField label="Tag" placeholder="checkout" {...fieldProps(tag)} />
                  <Select label="Severity" options={severityOptions} {...fieldProps(severity)} />
                </>
              ),
            };
          })}
        />
      </Stack>
    </Card>
  );
}

export interface NotifyFieldsProps {
  fields: Fields;
  channels: LoadedRule["channels"];
  /** A channel just created for this rule, which is preselected. */
  madeId: string | undefined;
}

export function NotifyFields({ fields, channels, madeId }: NotifyFieldsProps) {
  const choices = choicesProps(fields.channelIds);
  if (madeId && !choices.defaultValue.includes(madeId)) choices.defaultValue.push(madeId);
  const unlisted = choices.defaultValue.filter((id) => !channels.some((channel) => channel.id === id));
  return (
    <Card title="Who is alerted, and when">
      <Stack gap="large">
        {unlisted.map((id) => (
          <input key={id} type="hidden" name={choices.name} value={id} />
        ))}
        <CheckboxGroup
          label="Channels"
          hint={channels.length === 0 && "No alert channels yet, so no alerts can be sent."}
          required={false}
          {...choices}
          options={channels.map(({ id, name, kind, enabled }) => ({
            value: id,
            label: name,
            hint: enabled ? kindWords[kind] : `${kindWords[kind]}, switched off`,
          }))}
        />
        <Row justify="start">
          <Button size="small" icon="plus" name="intent" value={createsChannel} formNoValidate>
            Create a channel
          </Button>
        </Row>
        <Checkbox label="Alert on recovery" {...checkboxProps(fields.onRecovery)} />
        <Checkbox
          label="Alert when an error budget burns quickly"
          hint="For circles with a service level. Sent once, and again when resolved."
          {...checkboxProps(fields.onBurn)}
        />
        <TextField
          label="Reminder interval (hours)"
          hint="Until it is acknowledged, muted or resolved. Leave empty for no reminders."
          required={false}
          inputMode="numeric"
          width="short"
          {...fieldProps(fields.remindHours)}
        />
        <Stack gap="large" className={styles.quiet}>
          <Checkbox
            label="Quiet hours"
            hint="Non-critical alerts wait until quiet hours end and are dropped if already resolved."
            {...checkboxProps(fields.quiet)}
          />
          <Stack gap="large" className={styles.hours}>
            <Row justify="end" className={styles.start}>
              <TextField label="From" placeholder="22:00" width="short" {...fieldProps(fields.from)} />
              <TextField label="To" placeholder="07:00" width="short" {...fieldProps(fields.to)} />
            </Row>
            <TimeZoneField hint="Time zone of the hours above." field={fields.timeZone} />
          </Stack>
        </Stack>
      </Stack>
    </Card>
  );
}
