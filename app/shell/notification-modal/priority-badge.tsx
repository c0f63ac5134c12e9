import type { PriorityLevel } from "#contracts/portal-service/outstanding.ts";
import { Badge } from "~/ui/badge/badge";
import type { IconName } from "~/ui/icon/icon";
import type { Tone } from "~/ui/tone";

interface Look {
  tone: Tone;
  icon: IconName;
  words: string;
}

export const priorityLooks: Record<PriorityLevel, Look> = {
  CRITICAL: { tone: "danger", icon: "warning", words: "Critical priority" },
  HIGH: { tone: "warning", icon: "chevron-up", words: "High priority" },
  MEDIUM: { tone: "info", icon: "minus", words: "Medium priority" },
  LOW: { tone: "neutral", icon: "chevron-down", words: "Low priority" },
};

/** The priority of a notification, by icon, word and colour. */
export function PriorityBadge({ level }: { level: PriorityLevel }) {
  const { tone, icon, words } = priorityLooks[level];
  return (
    <Badge tone={tone} icon={icon}>
      {words}
    </Badge>
  );
}
