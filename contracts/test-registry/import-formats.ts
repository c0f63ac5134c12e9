/** Formats of files with requests that can be read. */
export const readableFormats = ["postman", "bruno", "insomnia", "har", "hurl", "http", "arazzo"] as const;
export type ReadableFormat = (typeof readableFormats)[number];

export const formatNames: Record<ReadableFormat, string> = {
  postman: "Postman",
  bruno: "Bruno",
  insomnia: "Insomnia",
  har: "HAR",
  hurl: "Hurl",
  http: ".http",
  arazzo: "Arazzo",
};
