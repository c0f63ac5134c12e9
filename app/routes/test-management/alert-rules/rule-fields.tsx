import type { FormMetadata, useForm } from "@conform-to/react";
import { severities } from "#contracts/test-analyzer/alert-rules.ts";
import { kindWords } from "~/features/alerts/channel-words";
import { TimeZoneField } from "~/features/time-zone/time-zone-field";
import { checkboxProps, choicesProps, fieldProps } from "~/forms/field-props";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { FieldHint } from "~/ui/field/field";
import { Row, Stack } from "~/ui/layout/layout";
import { CheckboxGroup } from "~/ui/radio-group/radio-group";
import { RepeatedRows } from "~/ui/repeated-rows/repeated-rows";
import { Select } from "~/ui/select/select";
import { TextField, type TextFieldProps } from "~/ui/text-field/text-field";
import type { LoadedRule } from "./rule.server";
import * as styles from "./rule-fields.css";
import { createsChannel, maxRuns, type RuleFormFields } from "./rule-form";
import { runsWords } from "./rule-words";

type Fields = ReturnType<typeof useForm<RuleFormFields>>[1];

const severityOptions = severities.map((value) => ({ value, label: value }));
const runOptions = Array.from({ length: maxRuns }, (_, index) => ({
  value: String(index + 1),
  label: runsWords(index + 1),
}));

/** A number within a sentence; its label is read out with the words around it. */
function NumberWithin({ label, ...field }: Pick<TextFieldProps, "label" | "name" | "id" | "defaultValue" | "errors">) {
  return (
    <TextField {...field} label={label} labelHidden inputMode="numeric" width="number" className={styles.inline} />
  );
}

export interface RuleFieldsProps {
  form: FormMetadata<RuleFormFields>;
  fields: Fields;
  /** What fails, such as "a test of Example shop". */
  subject: string;
  channels: LoadedRule["channels"];
  /** A channel just created for this rule, which is preselected. */
  madeId: string | undefined;
}

/** A rule as sentences: when an incident opens and whom it alerts, then reminders and quiet hours. */
export function RuleFields({ form, fields, subject, channels, madeId }: RuleFieldsProps) {
  return (
    <>
      <Card title="When to alert whom">
        <Stack gap="large">
          <div className={styles.sentence}>
            When {subject} fails{" "}
            <Select
              label="How often it fails"
              labelHidden
              className={styles.inline}
              placeholder="for some time"
              options={runOptions}
              {...fieldProps(fields.afterRuns)}
            />
            {" or has been failing for "}
            <NumberWithin label="Minutes of failing" {...fieldProps(fields.afterMinutes)} />
            {" minutes, open an incident of "}
            <Select
              label="Severity"
              labelHidden
              className={styles.inline}
              options={severityOptions}
              {...fieldProps(fields.severity)}
            />
            {" severity and alert:"}
          </div>
          <ChannelChoice {...{ fields, channels, madeId }} />
          <FieldHint
            id="rule-count"
            hint="Whichever comes first; leave the minutes empty to go by runs alone. Manual runs don't count."
          />
        </Stack>
      </Card>
      <Card title="After that">
        <Stack gap="large">
          <div className={styles.sentence}>
            {"Remind them every "}
            <NumberWithin label="Hours between reminders" {...fieldProps(fields.remindHours)} />
            {" hours until someone acknowledges, mutes or resolves it. Leave it empty for no reminders."}
          </div>
          <Checkbox label="Alert them again when it recovers" {...checkboxProps(fields.onRecovery)} />
          <Checkbox
            label="Alert them when the error budget of a circle burns quickly"
            hint="For circles with a service level. Sent once, and again when resolved."
            {...checkboxProps(fields.onBurn)}
          />
          <QuietHours fields={fields} />
          <SeverityByTag {...{ form, fields }} />
        </Stack>
      </Card>
    </>
  );
}

function ChannelChoice({ fields, channels, madeId }: Pick<RuleFieldsProps, "fields" | "channels" | "madeId">) {
  const choices = choicesProps(fields.channelIds);
  if (madeId && !choices.defaultValue.includes(madeId)) choices.defaultValue.push(madeId);
  const unlisted = choices.defaultValue.filter((id) => !channels.some((channel) => channel.id === id));
  return (
    <Stack gap="small">
      {unlisted.map((id) => (
        <input key={id} type="hidden" name={choices.name} value={id} />
      ))}
      <CheckboxGroup
        label="Channels to alert"
        labelHidden
        hint={channels.length === 0 && "No alert channels yet, so no alerts can be sent."}
        {...choices}
        options={channels.map(({ id, name, kind, enabled }) => ({
          value: id,
          label: `${name} (${kindWords[kind]}${enabled ? "" : ", switched off"})`,
        }))}
      />
      <Row>
        <Button size="small" icon="plus" name="intent" value={createsChannel} formNoValidate>
          Create a channel
        </Button>
      </Row>
    </Stack>
  );
}

function QuietHours({ fields }: { fields: Fields }) {
  return (
    <Stack gap="small" className={styles.quiet}>
      <Checkbox
        label="Keep quiet at certain hours"
        hint="Non-critical alerts wait until quiet hours end and are dropped if already resolved."
        {...checkboxProps(fields.quiet)}
      />
      <Stack gap="medium" className={styles.hours}>
        <div className={styles.sentence}>
          {"From "}
          <TextField
            label="From"
            labelHidden
            placeholder="22:00"
            width="number"
            className={styles.inline}
            {...fieldProps(fields.from)}
          />
          {" to "}
          <TextField
            label="To"
            labelHidden
            placeholder="07:00"
            width="number"
            className={styles.inline}
            {...fieldProps(fields.to)}
          />
          {" in this time zone:"}
        </div>
        <TimeZoneField hint="Time zone of the hours above." field={fields.timeZone} />
      </Stack>
    </Stack>
  );
}

function SeverityByTag({ form, fields }: Pick<RuleFieldsProps, "form" | "fields">) {
  return (
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
  );
}
