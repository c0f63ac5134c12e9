import { type Status, statusWords } from "~/features/verdict/verdict-words";
import { Badge } from "~/ui/badge/badge";

/** Number of tests with this verdict: "3 failed". */
export function VerdictCount({ standing, count }: { standing: Status; count: number }) {
  const { word, tone, icon } = statusWords[standing];
  return (
    <Badge tone={tone} icon={icon} data-standing={standing}>
      {count.toLocaleString("en")} {word.toLowerCase()}
    </Badge>
  );
}
