import type { Incident, NotifiedChannel } from "#contracts/test-analyzer/incidents.ts";
import { ruleAddress } from "~/features/alerts/rule-address";
import { silenceWords } from "~/features/incidents/incident-words";
import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";

export interface NotifiedNoticeProps {
  incident: Incident;
  mayWrite: boolean;
}

/** The recipients of an incident's alerts and the state of their deliveries, or why there are none. */
export function NotifiedNotice({ incident, mayWrite }: NotifiedNoticeProps) {
  const { notified: channels, notNotified, apiId, state } = incident;
  if (notNotified) {
    return (
      <Notice
        tone={state === "resolved" ? "info" : "warning"}
        title={state === "resolved" ? "No alerts were sent" : "No alerts are sent"}
        actions={
          mayWrite && (
            <LinkButton href={ruleAddress(notNotified.scope ?? { kind: "organization" }, apiId)} size="small">
              {notNotified.scope ? "Open the alert rule" : "Create an alert rule"}
            </LinkButton>
          )
        }
      >
        {silenceWords[notNotified.because]}
      </Notice>
    );
  }
  const isNotified = channels.some((channel) => channel.state === "delivered" || channel.state === "waiting");
  return (
    <Notice tone={isNotified ? "info" : "warning"} icon="mail" title={isNotified ? "Alerted" : "No alerts sent yet"}>
      <ul>
        {channels.map((channel) => (
          <li key={channel.channelId}>
            <a href={href("/test-management/alert-channels/:channelId", { channelId: channel.channelId })}>
              {channel.name}
            </a>{" "}
            <NotifiedWords channel={channel} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function NotifiedWords({ channel: { state, at, detail, notBefore } }: { channel: NotifiedChannel }) {
  const moment = (value: string) => <Moment value={value} />;
  switch (state) {
    case "held":
      return notBefore ? (
        <>will be alerted at {moment(notBefore)} unless it is over by then: quiet hours, or muted.</>
      ) : (
        "will be alerted later."
      );
    case "waiting":
      return detail ? `could not be reached yet; trying again. ${detail}` : "is being alerted.";
    case "failed":
      return `could not be reached. ${detail ?? ""}`;
    case "dropped":
      return `was not alerted. ${detail ?? "Resolved before."}`;
    case "delivered":
      return at ? <>at {moment(at)}.</> : "more than 90 days ago.";
  }
}
