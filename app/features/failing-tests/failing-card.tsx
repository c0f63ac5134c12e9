import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { FailingList, type FailingListProps } from "./failing-list";

/** A summary of the tests that fail now. */
export function FailingCard({ total, ...list }: FailingListProps & { total: number }) {
  const all = href("/test-management/failing-tests");
  if (total === 0) return <Card title="Failing now" description="None." />;
  return (
    <Card
      title={<a href={all}>Failing now {formatCount(total)}</a>}
      flush
      footer={total > list.tests.length && <a href={all}>All {formatCount(total)} failing tests</a>}
    >
      <FailingList {...list} />
    </Card>
  );
}
