/**
 * Every literal colour of the product. A palette is complete: a theme never mixes two of them.
 *
 * `palettes.test.ts` checks the contrast of each pair, so a colour can be changed without looking at every page.
 */

/** The four uses of a state colour: text, its background, its border, and solid areas such as bars and dots. */
export type TonePalette = {
  ink: string;
  soft: string;
  line: string;
  solid: string;
};

export type Palette = {
  /** Behind everything. */
  page: string;
  /** Cards, tables, fields. */
  surface: string;
  /** Code, table headings, hovered rows. */
  sunken: string;
  /** Hairlines that only group. */
  line: string;
  /** The border that makes a field recognisable: 3:1 against `surface`. */
  lineControl: string;
  ink: string;
  inkSoft: string;
  inkFaint: string;
  /** Links, the current page, focus. */
  accent: string;
  accentSoft: string;
  /** The filled button. */
  action: string;
  actionHover: string;
  onAction: string;
  onDanger: string;
  scrim: string;
  neutral: TonePalette;
  success: TonePalette;
  warning: TonePalette;
  danger: TonePalette;
  info: TonePalette;
};

export const light: Palette = {
  page: "#f7f8fa",
  surface: "#ffffff",
  sunken: "#f1f3f6",
  line: "#e1e4ea",
  lineControl: "#868e9c",
  ink: "#14171f",
  inkSoft: "#474e5c",
  inkFaint: "#616978",
  accent: "#2c4bcb",
  accentSoft: "#e9edfc",
  action: "#2c4bcb",
  actionHover: "#223ba6",
  onAction: "#ffffff",
  onDanger: "#ffffff",
  scrim: "#14171f80",
  neutral: { ink: "#474e5c", soft: "#eef0f4", line: "#d5d9e1", solid: "#7d8594" },
  success: { ink: "#14653a", soft: "#e5f4eb", line: "#b4dcc4", solid: "#23935a" },
  warning: { ink: "#7a4d00", soft: "#fcf2db", line: "#ecd295", solid: "#b97a0c" },
  danger: { ink: "#a8221b", soft: "#fdecea", line: "#f2bfba", solid: "#c8342b" },
  info: { ink: "#1b568c", soft: "#e6f0f9", line: "#b3d2ec", solid: "#3580bf" },
};

export const dark: Palette = {
  page: "#0c0e12",
  surface: "#13161c",
  sunken: "#1b1f27",
  line: "#272c36",
  lineControl: "#6f7888",
  ink: "#eceef2",
  inkSoft: "#b0b7c4",
  inkFaint: "#929aa9",
  accent: "#9db0ff",
  accentSoft: "#1e2748",
  action: "#9db0ff",
  actionHover: "#b8c6ff",
  onAction: "#10131c",
  onDanger: "#ffffff",
  scrim: "#000000a6",
  neutral: { ink: "#b0b7c4", soft: "#20252e", line: "#363d4a", solid: "#7f8898" },
  success: { ink: "#74d69c", soft: "#10281b", line: "#1f4d34", solid: "#35a066" },
  warning: { ink: "#ecbd5c", soft: "#2c210b", line: "#553f12", solid: "#c58a22" },
  danger: { ink: "#ff9d95", soft: "#331514", line: "#642825", solid: "#d0433a" },
  info: { ink: "#85bff0", soft: "#10243a", line: "#214468", solid: "#4590cf" },
};

export const lightMoreContrast: Palette = {
  ...light,
  page: "#ffffff",
  sunken: "#f4f5f7",
  line: "#6c7482",
  lineControl: "#000000",
  ink: "#000000",
  inkSoft: "#262b35",
  inkFaint: "#343a46",
  accent: "#12308f",
  action: "#000000",
  onAction: "#ffffff",
  neutral: { ink: "#262b35", soft: "#ffffff", line: "#262b35", solid: "#555c69" },
  success: { ink: "#08451f", soft: "#ffffff", line: "#08451f", solid: "#146a39" },
  warning: { ink: "#543400", soft: "#ffffff", line: "#543400", solid: "#855500" },
  danger: { ink: "#7d0f0a", soft: "#ffffff", line: "#7d0f0a", solid: "#9c1a13" },
  info: { ink: "#0b3a66", soft: "#ffffff", line: "#0b3a66", solid: "#1a5a94" },
};

export const darkMoreContrast: Palette = {
  ...dark,
  page: "#000000",
  surface: "#000000",
  sunken: "#14171d",
  line: "#8a92a1",
  lineControl: "#ffffff",
  ink: "#ffffff",
  inkSoft: "#e0e3e9",
  inkFaint: "#cfd4dc",
  accent: "#c3cfff",
  action: "#ffffff",
  onAction: "#000000",
  onDanger: "#000000",
  neutral: { ink: "#e0e3e9", soft: "#000000", line: "#e0e3e9", solid: "#a5adba" },
  success: { ink: "#a4f0c2", soft: "#000000", line: "#a4f0c2", solid: "#5fce90" },
  warning: { ink: "#ffdc94", soft: "#000000", line: "#ffdc94", solid: "#edb244" },
  danger: { ink: "#ffc4bf", soft: "#000000", line: "#ffc4bf", solid: "#ff8a80" },
  info: { ink: "#b9deff", soft: "#000000", line: "#b9deff", solid: "#77bbf5" },
};

const forcedTone: TonePalette = { ink: "CanvasText", soft: "Canvas", line: "CanvasText", solid: "CanvasText" };

/** The user's own colours: icons, text and borders alone must distinguish the states. */
export const forced: Palette = {
  page: "Canvas",
  surface: "Canvas",
  sunken: "Canvas",
  line: "CanvasText",
  lineControl: "ButtonBorder",
  ink: "CanvasText",
  inkSoft: "CanvasText",
  inkFaint: "CanvasText",
  accent: "LinkText",
  accentSoft: "Canvas",
  action: "ButtonText",
  actionHover: "Highlight",
  onAction: "ButtonFace",
  onDanger: "ButtonFace",
  scrim: "Canvas",
  neutral: forcedTone,
  success: forcedTone,
  warning: forcedTone,
  danger: forcedTone,
  info: forcedTone,
};
