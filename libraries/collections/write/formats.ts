import { writeArazzo } from "./arazzo.ts";
import { writeBruno } from "./bruno.ts";
import { writeCurl } from "./curl.ts";
import type { WriteCollection } from "./exported.ts";
import { writeHar } from "./har.ts";
import { writeHttpFile } from "./http-file.ts";
import { writeHurl } from "./hurl.ts";
import { writeK6 } from "./k6.ts";
import { writePostman } from "./postman.ts";

export const formats = {
  curl: writeCurl,
  postman: writePostman,
  bruno: writeBruno,
  hurl: writeHurl,
  http: writeHttpFile,
  arazzo: writeArazzo,
  har: writeHar,
  k6: writeK6,
} satisfies Record<string, WriteCollection>;

export type ExportFormat = keyof typeof formats;
