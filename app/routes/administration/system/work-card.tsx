import type { WaitingWork } from "#contracts/kit/system.ts";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { Moment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import { queueName } from "./system-words";

/** Depth of the queues, and the age of each queue's oldest entry. */
export function WorkCard({ work }: { work: readonly WaitingWork[] }) {
  return (
    <Card
      title="Waiting work"
      description="Of all organizations. What waits longer and longer needs more workers, or a mail server that answers."
      flush
      id="work"
    >
      <Table
        caption="Waiting work"
        captionHidden
        bare
        rows={work}
        rowKey={({ name }) => name}
        columns={[
          { key: "queue", header: "Queue", rowHeader: true, cell: ({ name }) => queueName(name) },
          {
            key: "waiting",
            header: "Waiting",
            numeric: true,
            tight: true,
            cell: ({ waiting }) => formatCount(waiting),
          },
          {
            key: "running",
            header: "Running",
            numeric: true,
            tight: true,
            cell: ({ running }) => formatCount(running),
          },
          {
            key: "oldest",
            header: "Oldest waits since",
            cell: ({ waiting, oldestAt }) => {
              if (oldestAt) return <Moment value={oldestAt} precise />;
              return waiting > 0 ? "Not kept" : "Nothing waits";
            },
          },
        ]}
      />
    </Card>
  );
}
