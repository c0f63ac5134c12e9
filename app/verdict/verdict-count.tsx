import { Badge } from "~/ui/badge/badge";
import { type Standing, standingWords } from "~/verdict/verdict-words";

/** How many stand like this: "3 failed". */
export function VerdictCount({ standing, count }: { standing: Standing; count: number }) {
  const { word, tone, icon } = standingWords[standing];
  return (
    <Badge tone={tone} icon={icon} data-standing={standing}>
      {count.toLocaleString("en")} {word.toLowerCase()}
    </Badge>
  );
}
