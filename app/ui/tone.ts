import type { IconName } from "~/ui/icon/icon";

/** The meaning of a colour. The domain's modules map verdicts and states to tones, not this one. */
export type Tone = "neutral" | "success" | "warning" | "danger" | "info";

/** A shape for every tone, since colour alone has no meaning to many readers. */
export const toneIcons: Record<Tone, IconName> = {
  neutral: "dot",
  success: "check",
  warning: "warning",
  danger: "cross",
  info: "info",
};
