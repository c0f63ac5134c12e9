import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { HeldBack } from "~/features/schedules/held-back";
import { scheduleAddress, scheduleWords } from "~/features/schedules/schedule-words";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { ZonedMoment } from "~/ui/moment/zoned-moment";
import { Table } from "~/ui/table/table";

/** The circles that their schedules run next. */
export function NextRuns({ schedules }: { schedules: readonly Schedule[] }) {
  return (
    <Card title="Next runs" flush footer={<a href={href("/test-management/schedules")}>All schedules</a>}>
      <Table
        bare
        caption="Next scheduled circles"
        captionHidden
        rows={schedules}
        rowKey={({ id }) => id}
        columns={[
          {
            key: "circle",
            header: "Circle",
            rowHeader: true,
            cell: (schedule) => {
              const address = scheduleAddress(schedule);
              const words = scheduleWords(schedule);
              return address ? <a href={address}>{words}</a> : words;
            },
          },
          {
            key: "next",
            header: "Next run",
            cell: ({ next, timeZone, heldBack }) =>
              heldBack ? <HeldBack /> : next && <ZonedMoment {...next} timeZone={timeZone} />,
          },
        ]}
      />
    </Card>
  );
}
