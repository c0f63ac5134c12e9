export const reportTypes = [
  "application/json",
  "application/junit+xml",
  "application/xml",
  "text/xml",
  "application/har+json",
] as const;
export type ReportType = (typeof reportTypes)[number];

/** The report type that `Accept` prefers; undefined if it accepts none. */
export function chooseReportType(accept: string | null): ReportType | undefined {
  if (!accept?.trim()) return "application/json";
  const ranges = accept.split(",").map((range) => {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return { name, quality: quality ? Number(quality.slice(2)) || 0 : 1 };
  });
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ name }) => name));
  const offered = reportTypes.filter((type) => !refused.has(type));
  const liked = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { name } of liked) {
    const type = offered.find((known) => known === name || name === "*/*" || name === `${known.split("/")[0]}/*`);
    if (type) return type;
  }
  return undefined;
}
