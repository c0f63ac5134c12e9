/** Colours of HTTP methods, apart from those of states: a DELETE is no failure, and a POST no success. */
export type MethodPalette = Record<"reads" | "creates" | "changes" | "deletes" | "other", MethodTint>;
type MethodTint = { ink: string; soft: string; line: string };

const light: MethodPalette = {
  reads: { ink: "#1d5a80", soft: "#e6f1f7", line: "#b9d7e6" },
  creates: { ink: "#0b6159", soft: "#e2f4f1", line: "#aedad3" },
  changes: { ink: "#5b3fa0", soft: "#f0ecfa", line: "#d2c6ee" },
  deletes: { ink: "#952766", soft: "#fbeaf3", line: "#ecc1d9" },
  other: { ink: "#474e5c", soft: "#eef0f4", line: "#d5d9e1" },
};
const dark: MethodPalette = {
  reads: { ink: "#8fcbee", soft: "#10273a", line: "#244861" },
  creates: { ink: "#7fd6c6", soft: "#0c2b29", line: "#1f534d" },
  changes: { ink: "#c6b2f7", soft: "#251d3f", line: "#463a70" },
  deletes: { ink: "#f0a3cc", soft: "#371829", line: "#6a2f4f" },
  other: { ink: "#b0b7c4", soft: "#1f242d", line: "#353c49" },
};
const lightMoreContrast: MethodPalette = {
  reads: { ink: "#0b3552", soft: "#ffffff", line: "#0b3552" },
  creates: { ink: "#033f39", soft: "#ffffff", line: "#033f39" },
  changes: { ink: "#38207a", soft: "#ffffff", line: "#38207a" },
  deletes: { ink: "#650d40", soft: "#ffffff", line: "#650d40" },
  other: { ink: "#262b35", soft: "#ffffff", line: "#262b35" },
};
const darkMoreContrast: MethodPalette = {
  reads: { ink: "#bfe3fa", soft: "#000000", line: "#bfe3fa" },
  creates: { ink: "#b0f2e6", soft: "#000000", line: "#b0f2e6" },
  changes: { ink: "#e0d4ff", soft: "#000000", line: "#e0d4ff" },
  deletes: { ink: "#ffd0e6", soft: "#000000", line: "#ffd0e6" },
  other: { ink: "#dfe3ea", soft: "#000000", line: "#dfe3ea" },
};
const system: MethodTint = { ink: "CanvasText", soft: "Canvas", line: "CanvasText" };
const forced: MethodPalette = { reads: system, creates: system, changes: system, deletes: system, other: system };

export const methodPalettes = { light, dark, lightMoreContrast, darkMoreContrast, forced };
