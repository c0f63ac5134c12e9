import type { MeasuredServiceLevel } from "#contracts/test-analyzer/service-levels.ts";
import { Badge } from "~/ui/badge/badge";
import { toneIcons } from "~/ui/tone";
import { levelWords, objectiveWords } from "./level-words";

/** Status of a service level, for narrow spaces. */
export function LevelBadge({ level }: { level: MeasuredServiceLevel }) {
  const { tone, left } = levelWords(level);
  return (
    <Badge tone={tone} icon={toneIcons[tone]} title={objectiveWords(level)}>
      {left}
    </Badge>
  );
}
