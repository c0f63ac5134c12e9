import type { DocumentWatch } from "#contracts/api-registry/document-watches.ts";
import { href } from "~/href";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { formatAgo, Moment } from "~/ui/moment/moment";

export interface WatchStateProps {
  apiId: string;
  watch: DocumentWatch;
  now: string;
}

/** What the looks have found so far. */
export function WatchState({ apiId, watch, now }: WatchStateProps) {
  const { lookedAt, unchangedSince, failure, nextLookAt, takenOver } = watch;
  const at = (value: string) => <Moment value={value} />;
  return (
    <Card title="Looks">
      <DefinitionList
        items={[
          {
            term: "Last look",
            value: lookedAt ? (
              <>
                {formatAgo(lookedAt, now)}, {at(lookedAt)}
              </>
            ) : (
              "Not yet"
            ),
          },
          unchangedSince !== null && { term: "Same document since", value: at(unchangedSince) },
          failure && {
            term: "Fails",
            value: (
              <>
                {failure.reason} {plural(failure.looks, "look")} in a row, since {at(failure.since)}.
              </>
            ),
          },
          { term: "Next look", value: nextLookAt <= now ? "Within a minute" : at(nextLookAt) },
          takenOver && {
            term: "Taken over last",
            value: (
              <>
                <a
                  href={href("/api-management/:apiId/documents/:documentId", {
                    apiId,
                    documentId: takenOver.documentId,
                  })}
                >
                  Version {takenOver.version}
                </a>
                , {at(takenOver.at)}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
