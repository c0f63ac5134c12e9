/** Colours of JSON and code. Member names have the text's colour. */
export type SyntaxPalette = { string: string; number: string; keyword: string };

const light: SyntaxPalette = { string: "#0a635a", number: "#7b2f9e", keyword: "#8f3d0c" };
const dark: SyntaxPalette = { string: "#7fd6c6", number: "#cfb0fa", keyword: "#f3b582" };
const lightMoreContrast: SyntaxPalette = { string: "#03433c", number: "#55157a", keyword: "#632600" };
const darkMoreContrast: SyntaxPalette = { string: "#b0f2e6", number: "#e4d2ff", keyword: "#ffd5b0" };
const forced: SyntaxPalette = { string: "CanvasText", number: "CanvasText", keyword: "CanvasText" };

export const syntaxPalettes = { light, dark, lightMoreContrast, darkMoreContrast, forced };
