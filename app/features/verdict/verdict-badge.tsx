import { type Status, statusWords } from "~/features/verdict/verdict-words";
import { Badge, type BadgeProps } from "~/ui/badge/badge";

export interface VerdictBadgeProps extends Omit<BadgeProps, "tone" | "icon" | "children"> {
  /** Undefined or null: the test has never run. */
  standing: Status | null | undefined;
}

/** Verdict or state of an execution, as icon and word. */
export function VerdictBadge({ standing, ...rest }: VerdictBadgeProps) {
  if (!standing) {
    return (
      <Badge {...rest} icon="dot">
        Not run
      </Badge>
    );
  }
  const { word, tone, icon } = statusWords[standing];
  return (
    <Badge {...rest} tone={tone} icon={icon} data-standing={standing}>
      {word}
    </Badge>
  );
}
