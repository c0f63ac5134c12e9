import type { Location } from "#contracts/test-executioner/locations.ts";
import { getLocationState } from "~/features/locations/location-words";
import { plural } from "~/ui/count/plural";
import { Ago } from "~/ui/moment/ago";
import { Notice } from "~/ui/notice/notice";

interface SilentNoticeProps {
  location: Location;
  now: string;
}

/** What it means that no agent calls, and what to do. */
export function SilentNotice({ location, now }: SilentNoticeProps) {
  const state = getLocationState(location);
  const { waiting, lastSeenAt } = location;
  const waits = `${plural(waiting, "test")} ${waiting === 1 ? "waits" : "wait"}, and will end as skipped after five minutes without a call: not run, and not failed.`;
  if (state === "working" || (state === "empty" && waiting === 0)) return null;
  if (state === "empty") {
    return (
      <Notice tone="warning" title="Tests wait for an agent">
        {waits} Add an agent to send them.
      </Notice>
    );
  }
  return (
    <Notice
      tone="warning"
      title={
        lastSeenAt ? (
          <>
            No agent has called since <Ago value={lastSeenAt} now={now} />
          </>
        ) : (
          "No agent has called yet"
        )
      }
    >
      {waiting > 0 && `${waits} `}Start <code>agent</code> {lastSeenAt && "again "}on its machine; it has to reach this
      portal.
    </Notice>
  );
}
