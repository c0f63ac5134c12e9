import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import type { UnansweredNeed } from "./authentication-need";

export interface NeedLinkProps {
  apiId: string;
  need: UnansweredNeed;
  mayStore: boolean;
}

/**
 * As `NeedNotice`, within a form, which can't hold another one: with a link to where the credential is stored. It opens
 * beside the form, so that nothing typed is lost.
 */
export function NeedLink({ apiId, need: { wanted, host, schemeName }, mayStore }: NeedLinkProps) {
  const page = href("/api-management/:apiId/details/authentication", { apiId }, { scheme: schemeName, host });
  return (
    <Notice
      tone="warning"
      title={`This operation requires ${wanted}; none is stored`}
      actions={
        mayStore && (
          <LinkButton size="small" href={page} target="_blank" icon="external">
            Store one in a new tab
          </LinkButton>
        )
      }
    >
      Tests that inherit their authorization need it at {host}. What you have typed here stays, and Send uses the
      credential once it is stored.
    </Notice>
  );
}
