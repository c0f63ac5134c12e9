/** Colours of series that are kinds and not states, in the order of assignment. */
export type PlotPalette = { a: string; b: string; c: string; d: string; e: string; f: string; g: string };

const light: PlotPalette = {
  a: "#3f5fd9",
  b: "#0f8a86",
  c: "#b8720f",
  d: "#8b4bb5",
  e: "#c2417a",
  f: "#5f7d1d",
  g: "#6b7688",
};

const dark: PlotPalette = {
  a: "#8ea4ff",
  b: "#40c2bc",
  c: "#e2a44f",
  d: "#c590ea",
  e: "#f08ab8",
  f: "#a9c95c",
  g: "#98a4b6",
};

const lightMoreContrast: PlotPalette = light;
const darkMoreContrast: PlotPalette = dark;

const forced: PlotPalette = {
  a: "CanvasText",
  b: "CanvasText",
  c: "CanvasText",
  d: "CanvasText",
  e: "CanvasText",
  f: "CanvasText",
  g: "CanvasText",
};

export const plotPalettes = { light, dark, lightMoreContrast, darkMoreContrast, forced };
