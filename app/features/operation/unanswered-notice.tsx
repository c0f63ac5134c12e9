import { Notice } from "~/ui/notice/notice";
import type { UnansweredSchemes } from "./unanswered-schemes";

/** Names the security schemes without an authorization config, and links to where one is created. */
export function UnansweredNotice({ unanswered: { host, schemes } }: { unanswered: UnansweredSchemes }) {
  const names = schemes.map(({ name }) => name).join(", ");
  const creatable = schemes.filter(({ createHref }) => createHref);
  return (
    <Notice title={`No authorization config at ${host} for ${names}`}>
      Requests that inherit their authorization carry every credential stored for the host.
      {creatable.map(({ name, createHref }) => (
        <span key={name}>
          {" "}
          <a href={createHref}>Create a config for {name}</a>
        </span>
      ))}
    </Notice>
  );
}
