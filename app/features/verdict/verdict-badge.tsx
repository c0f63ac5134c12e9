import { type Status, statusWords } from "~/features/verdict/verdict-words";
import { Badge, type BadgeProps } from "~/ui/badge/badge";

export interface VerdictBadgeProps extends Omit<BadgeProps, "tone" | "icon" | "children"> {
  /** Undefined or null: the test has never run. */
  status: Status | null | undefined;
}

/** Verdict or state of an execution, as icon and word. */
export function VerdictBadge({ status, ...rest }: VerdictBadgeProps) {
  if (!status) {
    return (
      <Badge {...rest} icon="dot">
        Not run
      </Badge>
    );
  }
  const { word, tone, icon } = statusWords[status];
  return (
    <Badge {...rest} tone={tone} icon={icon} data-standing={status}>
      {word}
    </Badge>
  );
}
