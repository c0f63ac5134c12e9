export const monthChoices = [12, 24, 60] as const;

/** Number of months that the address requests. */
export function monthsIn(request: Request): (typeof monthChoices)[number] {
  const requested = Number(new URL(request.url).searchParams.get("months"));
  return monthChoices.find((choice) => choice === requested) ?? 12;
}

/** For example `Apr 2026`. */
export const monthWords = (month: string): string =>
  new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
