import type { ExportFormat } from "#contracts/test-registry/test-exports.ts";

export const formatNames: Record<ExportFormat, string> = {
  postman: "Postman collection",
  bruno: "Bruno collection",
  hurl: "Hurl",
  http: ".http file",
  curl: "cURL",
  k6: "k6 script",
  arazzo: "Arazzo workflow",
  har: "HTTP Archive (HAR)",
};

export function isExportFormat(text: string | null): text is ExportFormat {
  return text !== null && Object.hasOwn(formatNames, text);
}
