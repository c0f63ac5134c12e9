import { createHash } from "node:crypto";

/** Texts as ids of one length; the database has the same by `md5(text)::uuid`. */
export function toHashId(text: string): string {
  const hash = createHash("md5").update(text).digest("hex");
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
