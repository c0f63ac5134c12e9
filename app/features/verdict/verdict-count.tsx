import { type Status, statusWords } from "~/features/verdict/verdict-words";
import { Badge } from "~/ui/badge/badge";

/** Number of tests with this verdict: "3 failed". */
export function VerdictCount({ status, count }: { status: Status; count: number }) {
  const { word, tone, icon } = statusWords[status];
  return (
    <Badge tone={tone} icon={icon} data-standing={status}>
      {count.toLocaleString("en")} {word.toLowerCase()}
    </Badge>
  );
}
