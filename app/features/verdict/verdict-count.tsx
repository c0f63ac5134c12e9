import { type Standing, standingWords } from "~/features/verdict/verdict-words";
import { Badge } from "~/ui/badge/badge";

/** Number of tests with this verdict: "3 failed". */
export function VerdictCount({ standing, count }: { standing: Standing; count: number }) {
  const { word, tone, icon } = standingWords[standing];
  return (
    <Badge tone={tone} icon={icon} data-standing={standing}>
      {count.toLocaleString("en")} {word.toLowerCase()}
    </Badge>
  );
}
