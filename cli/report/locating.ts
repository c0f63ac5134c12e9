import type { Position } from "../document/read-document.ts";

/** Where an operation stands in the document that was given as a file; undefined if it was not, or is not there. */
export type Locate = (operation: { method: string; path: string }) => (Position & { file: string }) | undefined;
