import { Badge } from "~/ui/badge/badge";
import { formatCount } from "~/ui/count/format-count";

/** Marks a test that passes whatever the response is, or counts several. */
export function CannotFail({ count }: { count?: number }) {
  return (
    <Badge tone="warning" icon="warning" title="It would have passed with every tested change to its response">
      {count === undefined ? "Can't fail" : `${formatCount(count)} can't fail`}
    </Badge>
  );
}
