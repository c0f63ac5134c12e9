import type { IconName } from "~/ui/icon/icon";

/** What a colour says. Which verdict or state has which tone is decided where the domain is known, not here. */
export type Tone = "neutral" | "success" | "warning" | "danger" | "info";

/** A shape for every tone, since colour alone tells nothing to many readers. */
export const toneIcons: Record<Tone, IconName> = {
  neutral: "dot",
  success: "check",
  warning: "warning",
  danger: "cross",
  info: "info",
};
