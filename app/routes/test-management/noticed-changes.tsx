import type { ApiNotices } from "#contracts/test-executioner/notices.ts";
import { noticedShare } from "~/features/notices/notices-words";
import { plural } from "~/ui/count/plural";
import { useFormatMoment } from "~/ui/moment/moment";
import { type Stat, Stats } from "~/ui/stat/stat";

/** How much the API's tests would notice, as last measured; nothing before that. */
export function NoticedChanges({ notices }: { notices: Omit<ApiNotices, "operations"> | undefined }) {
  const formatMoment = useFormatMoment();
  if (!notices?.since) return null;
  const { tests, changes, noticed, cannotFail, since } = notices;
  const items: Stat[] = [
    {
      label: "Changes noticed",
      value: noticedShare(notices),
      unit: "%",
      detail: `${noticed.toLocaleString("en")} of ${plural(changes, "change")} of responses, ${plural(tests, "test")} measured since ${formatMoment(since)}`,
    },
  ];
  if (cannotFail > 0) {
    const detail = "They would pass with any response";
    items.push({ label: "Tests that can't fail", value: cannotFail.toLocaleString("en"), detail, tone: "warning" });
  }
  return <Stats items={items} />;
}
