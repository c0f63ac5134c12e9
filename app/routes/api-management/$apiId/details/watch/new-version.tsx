import type { DocumentWatch } from "#contracts/api-registry/document-watches.ts";
import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { Row, Stack } from "~/ui/layout/layout";
import { formatAgo, Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { ChangeReview } from "../change-review";
import type { ReviewedChanges } from "../reviewed-changes";

export interface NewVersionProps {
  apiId: string;
  change: NonNullable<DocumentWatch["change"]>;
  review: ReviewedChanges | undefined;
  now: string;
  mayChange: boolean;
}

/** A version that waits for a person: what changes, and what to do with it. */
export function NewVersion({ apiId, change, review, now, mayChange }: NewVersionProps) {
  const here = href("/api-management/:apiId/details/watch", { apiId });
  return (
    <Stack>
      <Notice
        tone={change.breakingCount > 0 ? "warning" : "info"}
        title={`Version ${change.version} waits for a decision`}
      >
        <p>{change.reason}</p>
        <p>
          Found {formatAgo(change.foundAt, now)}, <Moment value={change.foundAt} />.
        </p>
      </Notice>
      {mayChange && (
        <Row>
          <LinkButton href={`${here}?dialog=take-over`} variant="primary" icon="check">
            Take it over
          </LinkButton>
          <form method="post" action={here}>
            <input type="hidden" name="digest" value={change.digest} />
            <Button name="intent" value="dismiss">
              Dismiss it
            </Button>
          </form>
        </Row>
      )}
      {review ? (
        <ChangeReview apiId={apiId} changes={review} />
      ) : (
        <Notice tone="neutral" title="The address can't be read at the moment">
          All that changes is listed here as soon as it can be.
        </Notice>
      )}
    </Stack>
  );
}
