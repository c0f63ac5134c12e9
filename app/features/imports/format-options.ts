import { formatNames, readableFormats } from "#contracts/test-registry/import-formats.ts";

/** Choices of a select. */
export const formatOptions = readableFormats.map((value) => ({ value, label: formatNames[value] }));
