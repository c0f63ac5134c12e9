import type { SubmissionResult } from "@conform-to/dom";
import { getFormProps, useForm } from "@conform-to/react";
import { tomorrowMorning } from "~/features/incidents/mute-choices";
import { TimeZoneField } from "~/features/time-zone/time-zone-field";
import { fieldProps } from "~/forms/field-props";
import { FormErrorSummary } from "~/forms/form-error-summary";
import { useSavedResult } from "~/forms/use-saved-form";
import { islandAttributes } from "~/islands/island-attributes";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Column, Row, Stack } from "~/ui/layout/layout";
import { MomentField } from "~/ui/moment-field/moment-field";

export interface MuteUntilProps {
  timeZone: string;
  now: string;
  /** The incident's page. */
  here: string;
  result: SubmissionResult | undefined;
}

/** Asks for the date and time until which an incident is muted. */
export function MuteUntil({ timeZone, now, here, result }: MuteUntilProps) {
  const stored = useSavedResult();
  const [form, fields] = useForm<{ until: string; timeZone: string }>({
    id: "mute",
    lastResult: result ?? stored,
    defaultValue: { until: tomorrowMorning(new Date(now), timeZone).replace("T", " "), timeZone },
  });
  return (
    <Card
      title="Mute until"
      description="No alerts while it continues, grows or recurs. Everyone already alerted is still notified when it is resolved."
    >
      <form method="post" action={`${here}?dialog=mute`} {...getFormProps(form)}>
        <Column width="form">
          <Stack>
            <FormErrorSummary form={form} />
            <MomentField
              label="Date and time"
              hint="Within the next 30 days, e.g. 2026-11-27 22:00 or tomorrow 09:00."
              island={islandAttributes("moment-picker")}
              {...fieldProps(fields.until)}
            />
            <TimeZoneField hint="Time zone of the time above." field={fields.timeZone} />
            <Row>
              <Button variant="primary" name="intent" value="mute">
                Mute
              </Button>
              <LinkButton href={here} variant="quiet">
                Cancel
              </LinkButton>
            </Row>
          </Stack>
        </Column>
      </form>
    </Card>
  );
}
