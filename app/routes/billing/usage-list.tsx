import { formatCount } from "~/ui/count/format-count";
import { Stack } from "~/ui/layout/layout";
import { Progress } from "~/ui/progress/progress";
import { type Stat, Stats } from "~/ui/stat/stat";
import type { Usage as UsageAnswer, UsageSubject } from "../../../services/portal-service/contract/usage.ts";
import * as styles from "./usage-list.css";

type Usage = UsageAnswer["items"][number];
type Limited = Usage & { limit: number };

const isLimited = (usage: Usage): usage is Limited => typeof usage.limit === "number";

const labels: Record<UsageSubject, string> = {
  apis: "APIs",
  tests: "Tests",
  executionsPerMonth: "Executions this month",
  members: "Members",
};

/** What is used of a plan: bars where there is a limit, figures where there is none. */
export function UsageList({ usage }: { usage: readonly Usage[] }) {
  const limited = usage.filter(isLimited);
  const unlimited: Stat[] = usage
    .filter((one) => !isLimited(one))
    .map(({ subject, used, limit }) => ({
      label: labels[subject],
      value: formatCount(used),
      detail: limit === null ? "without limit" : undefined,
    }));
  return (
    <Stack gap="huge">
      {limited.length > 0 && (
        <div className={styles.bars}>
          {limited.map(({ subject, used, limit }) => (
            <Progress
              key={subject}
              id={`used-${subject}`}
              label={labels[subject]}
              value={Math.min(used, limit)}
              max={limit}
              valueText={`${formatCount(used)} of ${formatCount(limit)}`}
              tone={used >= limit ? "warning" : "neutral"}
            />
          ))}
        </div>
      )}
      {unlimited.length > 0 && <Stats items={unlimited} />}
    </Stack>
  );
}
