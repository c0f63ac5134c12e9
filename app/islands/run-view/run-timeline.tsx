import type { RunMember } from "#contracts/test-executioner/runs.ts";
import { memberName, phaseWords } from "~/features/runs/run-words";
import { getStatus, statusWords } from "~/features/verdict/verdict-words";
import { Card } from "~/ui/card/card";
import { Timeline, type TimelineSpan } from "~/ui/plot/timeline";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import type { RunSnapshot } from "./run-change.ts";

/** Start and duration of each member, in the colour of its verdict. */
export function RunTimeline({
  run,
  members,
  now,
  getPlace,
}: Pick<RunSnapshot, "run" | "members"> & {
  now: string;
  /** Which of several places sent it. */
  getPlace?: ((member: RunMember) => string) | undefined;
}) {
  const begin = Date.parse(run.startedAt ?? run.queuedAt);
  const spans = members.map((member) => getSpan(member, begin, getPlace?.(member)));
  if (!spans.some(({ startMilliseconds }) => startMilliseconds !== null)) return null;
  const ends = members.flatMap(({ startedAt, finishedAt }) => (startedAt ? Date.parse(finishedAt ?? startedAt) : []));
  const goesOn = members.some(({ state }) => state === "running");
  const end = Math.max(...ends, goesOn ? Date.parse(now) : 0);
  const total = Math.max(1, end - begin);
  return (
    <Card title="Timeline">
      <Timeline
        id="run-timeline"
        title="When each member ran"
        titleHidden
        description={`${members.length === 1 ? "One line" : `${members.length} lines, one`} for each execution above: thin while queued, thick while running.`}
        spans={spans}
        totalMilliseconds={total}
        spansAre="Execution"
        detailsAre={["Phase", "Waited", "Sending", "Response", "Storing", "Attempts", "Verdict"]}
      />
    </Card>
  );
}

function getSpan(member: RunMember, begin: number, place: string | undefined): TimelineSpan {
  const { startedAt, finishedAt, queuedAt, responseMilliseconds: both, sendingMilliseconds: sending } = member;
  const { word, tone } = statusWords[getStatus(member)];
  const waited =
    startedAt === null ? "–" : formatMilliseconds(Math.max(0, Date.parse(startedAt) - Date.parse(queuedAt)));
  // Earlier executions have one time for both.
  const response = typeof both === "number" && typeof sending === "number" ? both - sending : both;
  const phase = phaseWords[member.phase];
  return {
    key: member.executionId,
    label: `${member.position}. ${memberName(member)}${place ? `, from ${place}` : ""}`,
    tone,
    waitsFromMilliseconds: Math.max(0, Date.parse(queuedAt) - begin),
    // The clocks of several workers may differ slightly.
    startMilliseconds: startedAt === null ? null : Math.max(0, Date.parse(startedAt) - begin),
    endMilliseconds: startedAt === null || finishedAt === null ? null : Math.max(0, Date.parse(finishedAt) - begin),
    details: [
      ...[phase ?? "–", waited, formatTime(sending), formatTime(response), formatTime(member.storingMilliseconds)],
      ...[String(member.attemptCount), word],
    ],
  };
}

const formatTime = (milliseconds: number | null | undefined) =>
  typeof milliseconds === "number" ? formatMilliseconds(milliseconds) : "–";
