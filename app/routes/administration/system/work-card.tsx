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
      title="Queue"
      description="All organizations. If wait times keep growing, add workers or check the mail server."
      flush
      id="work"
    >
      <Table
        caption="Queue"
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
            header: "Oldest waiting since",
            cell: ({ waiting, oldestAt }) => {
              if (oldestAt) return <Moment value={oldestAt} precise />;
              return waiting > 0 ? "Not stored" : "Queue empty";
            },
          },
        ]}
      />
    </Card>
  );
}
