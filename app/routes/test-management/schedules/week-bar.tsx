import { zoneWords } from "~/features/time-zone/zone-words";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { listAddress } from "~/ui/list-page/list-address";
import { Notice } from "~/ui/notice/notice";
import { daysAfter, type Week, weekWords } from "./week";

export interface WeekBarProps {
  week: Week;
  timeZone: string;
  today: string;
  /** Address of the page. */
  address: string;
  /** False where the week's occurrences are unknown. */
  knowsWeek: boolean;
}

/** The displayed week, its time zone, and links to other weeks. */
export function WeekBar({ week, timeZone, today, address, knowsWeek }: WeekBarProps) {
  const [monday] = week.days as [string];
  const { pathname, search, searchParams } = new URL(address);
  const cursor = searchParams.get("cursor") ?? undefined;
  const weekHref = (days: number) => listAddress(address, { cursor, week: daysAfter(monday, days) });
  const isRunning = week.days.includes(today);
  return (
    <>
      <Row justify="between">
        <div>
          <h2>Week of {weekWords(week)}</h2>
          <small>
            Times in {zoneWords(timeZone)}.{" "}
            <a href={href("/time-zone", { returnTo: pathname + search })}>Choose another zone</a>
          </small>
        </div>
        <nav aria-label="Weeks">
          <Row>
            <LinkButton href={weekHref(-7)} size="small" icon="chevron-left" rel="prev">
              Week before
            </LinkButton>
            {!isRunning && (
              <LinkButton href={listAddress(address, { cursor, week: undefined })} size="small">
                This week
              </LinkButton>
            )}
            <LinkButton href={weekHref(7)} size="small" iconAfter="chevron-right" rel="next">
              Week after
            </LinkButton>
          </Row>
        </nav>
      </Row>
      {!knowsWeek && <Notice tone="warning">This week's runs can't be shown right now.</Notice>}
    </>
  );
}
