import type { useForm } from "@conform-to/react";
import { CronField } from "~/features/schedules/cron-field";
import { TimeZoneField } from "~/features/time-zone/time-zone-field";
import { fieldProps } from "~/forms/field-props";
import { islandAttributes } from "~/islands/island-attributes";
import { Card } from "~/ui/card/card";
import { Row, Stack } from "~/ui/layout/layout";
import { MomentField } from "~/ui/moment-field/moment-field";
import { RadioGroup } from "~/ui/radio-group/radio-group";
import { Select } from "~/ui/select/select";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./window-fields.css";
import { units, type WindowFormFields } from "./window-form";
import type { WindowChoices } from "./window-form.server";

type Fields = ReturnType<typeof useForm<WindowFormFields>>[1];

/** The circle or API whose schedules it defers. */
export function ScopeFields({ fields, choices }: { fields: Fields; choices: WindowChoices }) {
  return (
    <Card title="Affected schedules">
      <Stack gap="large" className={styles.choice}>
        <TextField
          label="Name"
          hint="Each skipped run is recorded with it."
          placeholder="Weekly deployment"
          {...fieldProps(fields.name)}
        />
        <RadioGroup
          label="Schedules"
          inline
          options={[
            { value: "all", label: "All" },
            { value: "api", label: "Of circles with tests of an API" },
            { value: "circle", label: "Of one circle" },
          ]}
          {...fieldProps(fields.of)}
        />
        <Select
          label="API"
          className={styles.api}
          placeholder="Choose one"
          options={choices.apis}
          {...fieldProps(fields.apiId)}
        />
        <Select
          label="Circle"
          className={styles.circle}
          placeholder="Choose one"
          options={choices.circles}
          {...fieldProps(fields.testCircleId)}
        />
      </Stack>
    </Card>
  );
}

export function TimeFields({ fields }: { fields: Fields }) {
  const island = islandAttributes("moment-picker");
  return (
    <Card title="When it is">
      <Stack gap="large" className={styles.choice}>
        <RadioGroup
          label="Repeats"
          inline
          options={[
            { value: "once", label: "Once" },
            { value: "repeating", label: "Recurring" },
          ]}
          {...fieldProps(fields.kind)}
        />
        <Row className={styles.once}>
          <MomentField label="From" {...{ island }} className={styles.moment} {...fieldProps(fields.from)} />
          <MomentField label="To" {...{ island }} className={styles.moment} {...fieldProps(fields.to)} />
        </Row>
        <CronField
          label="Start (cron expression)"
          examples={
            <>
              <code>0 2 * * 6</code> is 02:00 on Saturdays, <code>30 22 1 * *</code> 22:30 on the first of each month.
            </>
          }
          className={styles.repeating}
          field={fields.cron}
        />
        <Row className={styles.repeating}>
          <TextField label="Lasts" inputMode="numeric" width="short" {...fieldProps(fields.lasts)} />
          <Select
            label="Unit"
            width="short"
            options={Object.keys(units).map((value) => ({ value, label: value }))}
            {...fieldProps(fields.unit)}
          />
        </Row>
        <TimeZoneField
          hint="Time zone of the times above, e.g. Europe/Berlin. Times are typed as 2026-11-27 22:00 or tomorrow 09:00."
          field={fields.timeZone}
        />
      </Stack>
    </Card>
  );
}
