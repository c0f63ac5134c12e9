import type { Trends } from "#contracts/test-analyzer/trends.ts";
import { Notice } from "~/ui/notice/notice";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { stepWords } from "./trend-words";

/** Reports that responses have become slower or faster than usual. */
export function ShiftNotice({ shift, timeZone }: { shift: NonNullable<Trends["shift"]>; timeZone: string }) {
  const { since, milliseconds, usual, usualLeast, usualMost } = shift;
  const isSlower = milliseconds > usual;
  const [now, before, least, high] = [milliseconds, usual, usualLeast, usualMost].map(formatMilliseconds);
  return (
    <Notice
      tone={isSlower ? "warning" : "info"}
      title={`Responses have been ${isSlower ? "slower" : "faster"} than usual since ${stepWords(since, "24h", timeZone).label}`}
    >
      {now} in the median, usually {before}: nine of ten hours lay between {least} and {high}.
    </Notice>
  );
}
