import type { MeasuredServiceLevel } from "#contracts/test-analyzer/service-levels.ts";
import type { CircleParams } from "~/features/circles/circle-addresses";
import { formatShare } from "~/features/trends/trend-words";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { type Stat, Stats } from "~/ui/stat/stat";
import { formatMinutes, formatRate, levelWords, objectiveWords, resultsLeft } from "./level-words";

export interface LevelCardProps {
  params: CircleParams;
  /** Null where there is none, undefined where unknown. */
  level: MeasuredServiceLevel | null | undefined;
  mayWrite: boolean;
}

/** The service level of a circle, and its remaining error budget. */
export function LevelCard({ params, level, mayWrite }: LevelCardProps) {
  return (
    <Card
      title="Service level"
      description={getDescription(level)}
      actions={
        mayWrite &&
        level !== undefined && (
          <LinkButton
            href={href("/test-management/:apiId/test-circles/:testCircleId/service-level", params)}
            icon={level ? "pencil" : "plus"}
            size="small"
          >
            {level ? "Change it" : "Set an objective"}
          </LinkButton>
        )
      }
    >
      {level && (
        <Stack>
          <LevelNotice level={level} />
          <Stats items={getStats(level)} />
        </Stack>
      )}
    </Card>
  );
}

function getDescription(level: LevelCardProps["level"]): string {
  if (level === undefined) return "It can't be shown right now. Try again shortly.";
  return level ? `${objectiveWords(level)}.` : "No service level yet. Set an objective.";
}

function LevelNotice({ level: { measured, burningSince } }: { level: MeasuredServiceLevel }) {
  const { budget, isFast, exhaustedInMinutes } = measured;
  if (budget && budget.left <= 0) {
    return (
      <Notice tone="danger" title="Error budget exhausted">
        {formatCount(measured.bad)} of {plural(measured.good + measured.bad, "result")} failed; the objective allows{" "}
        {formatCount(Math.floor(budget.allowed))}.
      </Notice>
    );
  }
  if (!isFast && !burningSince) return null;
  return (
    <Notice tone="warning" title="The budget is burning quickly">
      {burningSince && (
        <>
          Since <Moment value={burningSince} />.{" "}
        </>
      )}
      {exhaustedInMinutes === null
        ? "Most of it was used in the last few hours."
        : `At the current rate it will be used up in ${formatMinutes(exhaustedInMinutes)}.`}
    </Notice>
  );
}

function getStats(level: MeasuredServiceLevel): Stat[] {
  const { good, bad, share, budget, burn, exhaustedInMinutes } = level.measured;
  const [hour, sixHours, threeDays] = burn.map(({ rate }) => formatRate(rate));
  const stats: (Stat | false)[] = [
    { label: "So far", value: formatShare(share), detail: `of ${plural(good + bad, "result")}` },
    ...(budget
      ? [
          {
            label: "Budget left",
            value: budget.left > 0 ? formatShare(budget.left) : "0 %",
            tone: levelWords(level).tone,
            detail: `${formatMinutes(budget.minutesLeft)} of ${formatMinutes(budget.minutes)}, or ${plural(resultsLeft(budget), "failed result")}`,
          },
        ]
      : []),
    { label: "Burn rate", value: hour, detail: `last hour; ${sixHours} in 6 hours, ${threeDays} in 3 days` },
    budget !== null &&
      budget.left > 0 && {
        label: "Used up in",
        value: exhaustedInMinutes === null ? "–" : formatMinutes(exhaustedInMinutes),
        detail: exhaustedInMinutes === null ? "not at this pace" : "at the pace of the last hours",
      },
  ];
  return stats.filter((stat) => stat !== false);
}
