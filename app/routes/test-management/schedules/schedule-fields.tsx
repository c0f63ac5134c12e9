import type { useForm } from "@conform-to/react";
import { CronField } from "~/features/schedules/cron-field";
import { TimeZoneField } from "~/features/time-zone/time-zone-field";
import { checkboxProps, choicesProps, fieldProps } from "~/forms/field-props";
import { Card } from "~/ui/card/card";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Row, Stack } from "~/ui/layout/layout";
import { CheckboxGroup, RadioGroup } from "~/ui/radio-group/radio-group";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./schedule-fields.css";
import { type toForm, units } from "./schedule-form";

export type ScheduleFormFields = ReturnType<typeof toForm>;
type Fields = ReturnType<typeof useForm<ScheduleFormFields>>[1];

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);

export function TimeFields({ fields }: { fields: Fields }) {
  return (
    <Card title="When it runs">
      <Stack gap="large" className={styles.times}>
        <RadioGroup
          label="Repeats"
          inline
          options={[
            { value: "cron", label: "At set times" },
            { value: "interval", label: "At an interval" },
          ]}
          {...fieldProps(fields.kind)}
        />
        <CronField
          label="Cron expression"
          examples={
            <>
              <code>0 7 * * 1-5</code> is 07:00 from Monday to Friday, <code>*/10 * * * *</code> every ten minutes,{" "}
              <code>@daily</code> midnight.
            </>
          }
          className={styles.cron}
          field={fields.cron}
        />
        <Row justify="end" className={styles.interval}>
          <TextField label="Every" inputMode="numeric" width="short" {...fieldProps(fields.every)} />
          <Select
            label="Unit"
            width="short"
            options={Object.keys(units).map((value) => ({ value, label: value }))}
            {...fieldProps(fields.unit)}
          />
        </Row>
        <TimeZoneField hint="IANA time zone, e.g. Europe/Berlin (daylight saving included)." field={fields.timeZone} />
        <Checkbox
          label="Spread"
          hint="Adds a fixed offset so runs don't all start at :00. The last run may start after active hours."
          {...checkboxProps(fields.spread)}
        />
        <Checkbox label="Only within active hours" {...checkboxProps(fields.onlyWithin)} />
        <Stack gap="large" className={styles.hours}>
          <Row justify="end" className={styles.start}>
            <TextField label="From" placeholder="08:00" width="short" {...fieldProps(fields.from)} />
            <TextField label="To" placeholder="18:00" width="short" {...fieldProps(fields.to)} />
          </Row>
          <CheckboxGroup
            label="Days"
            inline
            {...choicesProps(fields.days)}
            options={weekdays.map((value) => ({ value, label: capital(value.slice(0, 3)) }))}
          />
        </Stack>
      </Stack>
    </Card>
  );
}

export function BehaviourFields({ fields }: { fields: Fields }) {
  return (
    <Card title="Options">
      <Stack gap="large">
        <TextField
          label="Name"
          required={false}
          hint="Distinguishes it from this circle's other schedules."
          {...fieldProps(fields.name)}
        />
        <RadioGroup
          label="If the circle is still running"
          options={[
            { value: "skip", label: "Skip", hint: "The run is recorded as skipped." },
            {
              value: "queue",
              label: "Wait",
              hint: "One run waits until the other has finished; further runs are skipped.",
            },
          ]}
          {...fieldProps(fields.overlap)}
        />
        <RadioGroup
          label="If runs were missed during downtime"
          options={[
            { value: "latest", label: "Run once", hint: "For the last missed one, recorded as late." },
            { value: "none", label: "Don't run", hint: "They are recorded as missed." },
          ]}
          {...fieldProps(fields.catchUp)}
        />
        <Checkbox
          label="Active"
          hint="A paused schedule starts no runs and doesn't catch up later."
          {...checkboxProps(fields.enabled)}
        />
      </Stack>
    </Card>
  );
}
