import "~/features/search/key-table.css";

export { showKeys } from "./keys-dialog";
export { showPalette } from "./palette";
