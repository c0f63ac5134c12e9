import type { Position } from "../document/read-document.ts";

/** The position of an operation in a document that was given as a file; undefined for an address, and if it is not there. */
export type Locate = (operation: { method: string; path: string }) => (Position & { file: string }) | undefined;
