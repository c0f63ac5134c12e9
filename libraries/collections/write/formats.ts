import type { Collection } from "../collection.ts";
import { writeArazzo } from "./arazzo.ts";
import { writeBruno } from "./bruno.ts";
import { writeCurl } from "./curl.ts";
import type { Exported, WriteCollection } from "./exported.ts";
import { writeHar } from "./har.ts";
import { writeHttpFile } from "./http-file.ts";
import { writeHurl } from "./hurl.ts";
import { inlineInAddresses } from "./inline-values.ts";
import { writeK6 } from "./k6.ts";
import { writePostman } from "./postman.ts";

const writers = {
  curl: writeCurl,
  postman: writePostman,
  bruno: writeBruno,
  hurl: writeHurl,
  http: writeHttpFile,
  arazzo: writeArazzo,
  har: writeHar,
  k6: writeK6,
} satisfies Record<string, WriteCollection>;

export type ExportFormat = keyof typeof writers;

/** Files of a format with what they can't say. Pure: the same collection gives the same files. */
export function writeCollection(format: ExportFormat, collection: Collection): Exported {
  return writers[format](inlineInAddresses(collection));
}

export const formatNames = Object.keys(writers) as ExportFormat[];
