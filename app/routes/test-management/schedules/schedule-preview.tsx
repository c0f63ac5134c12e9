import { PlanLink } from "~/features/plans/plan-link";
import { PlanQuota } from "~/features/plans/plan-quota";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { ZonedMoment } from "~/ui/moment/zoned-moment";
import { Notice } from "~/ui/notice/notice";
import type { DisplayedPreview } from "./schedule-form.server";
import { usageWords } from "./usage-words";

/** The next ten runs, with the effects of clock changes and of the plan. */
export function SchedulePreview({ preview }: { preview: DisplayedPreview }) {
  const { items, clockChanges, timeZone, runsPerMonth, spreadWithinSeconds, heldBack, quota, managesBilling } = preview;
  return (
    <Card id="preview" tabIndex={-1} title="Next runs" description={usageWords(preview)}>
      <Stack gap="medium">
        {heldBack && (
          <Notice tone="warning" icon="pause" title="Your plan would not let it run">
            {heldBack} <PlanLink managesBilling={managesBilling} />
          </Notice>
        )}
        <PlanQuota quota={quota} />
        {items.length === 0 && <Notice tone="warning">It would never run: no time matches all conditions.</Notice>}
        {runsPerMonth > 0 && spreadWithinSeconds > 0 && (
          <p>
            Each starts up to {Math.ceil(spreadWithinSeconds / 60)} min later, by a fixed offset that is shown once it
            is saved.
          </p>
        )}
        <ol>
          {items.map(({ at, local, note }) => (
            <li key={at}>
              <ZonedMoment {...{ at, local, timeZone }} />
              {note && <> — {note}</>}
            </li>
          ))}
        </ol>
        {clockChanges.length > 0 && (
          <Notice title="Daylight saving changes">
            <ul>
              {clockChanges.map(({ at, note }) => (
                <li key={at}>{note}</li>
              ))}
            </ul>
          </Notice>
        )}
      </Stack>
    </Card>
  );
}
