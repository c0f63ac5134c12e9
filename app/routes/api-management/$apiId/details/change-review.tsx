import { whatIsAway } from "~/backend/parts";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { type Column, Table } from "~/ui/table/table";
import { ReviewedBaseUrls } from "./reviewed-base-urls";
import type { Cut, DisplayedChange, DisplayedTest, ReviewedChanges } from "./reviewed-changes";
import { CircleLinks, ReviewedLives } from "./reviewed-lives";

export interface ChangeReviewProps {
  apiId: string;
  changes: ReviewedChanges;
}

/** The changes of a new version, and the tests they affect, before it is imported. */
export function ChangeReview({ apiId, changes }: ChangeReviewProps) {
  const { counts, removed, changed, added, alerting } = changes;
  const isSame = counts.added + counts.changed + counts.removed === 0;
  return (
    <Stack>
      <Notice
        tone={counts.breaking > 0 ? "warning" : "success"}
        title={
          isSame
            ? "No operations change"
            : `${formatCount(counts.added)} added, ${formatCount(counts.changed)} changed, ${formatCount(counts.removed)} removed, ${formatCount(counts.unchanged)} unchanged`
        }
      >
        {counts.breaking === 0
          ? "No breaking changes."
          : `${plural(counts.breaking, "breaking change")}${touchedInWords(counts)}.`}
        {alerting && ` ${alerting}`}
      </Notice>
      {changes.testsAreAway && (
        <Notice tone="warning" title={whatIsAway(["test-registry"])}>
          Which tests a change touches is not shown.
        </Notice>
      )}
      <ReviewedBaseUrls apiId={apiId} baseUrls={changes.baseUrls} />
      <ReviewedLives apiId={apiId} lives={changes.lives} />
      <Changes title="Removed operations" changes={removed} apiId={apiId} />
      <Changes title="Changed operations" changes={changed} apiId={apiId} />
      <Changes title="Added operations" changes={added} apiId={apiId} />
    </Stack>
  );
}

function touchedInWords({ touched, broken }: ReviewedChanges["counts"]): string {
  if (touched === undefined) return "";
  const named = broken > 0 ? `; ${plural(broken, "listed test")} ${broken === 1 ? "breaks" : "break"}` : "";
  return `; ${plural(touched, "test")} of this API ${touched === 1 ? "calls" : "call"} what they touch${named}`;
}

function Changes({ title, changes, apiId }: { title: string; changes: Cut<DisplayedChange>; apiId: string }) {
  if (changes.items.length === 0) return null;
  return (
    <Card title={title} flush>
      <Table
        caption={title}
        captionHidden
        columns={columnsFor(apiId)}
        rows={changes.items}
        rowKey={({ kind, method, path }) => `${kind} ${method} ${path}`}
      />
      {changes.moreCount > 0 && <p>{`And ${plural(changes.moreCount, "other")}.`}</p>}
    </Card>
  );
}

function columnsFor(apiId: string): Column<DisplayedChange>[] {
  return [
    {
      key: "operation",
      header: "Operation",
      rowHeader: true,
      cell: ({ kind, method, path }) => (
        <>
          {kind === "webhook" && "Webhook "}
          <OperationName method={method} path={path} />
        </>
      ),
    },
    {
      key: "breaking",
      header: "Callers",
      tight: true,
      cell: ({ breaking }) =>
        breaking ? <Badge tone="danger">Breaking</Badge> : <Badge tone="success">Compatible</Badge>,
    },
    {
      key: "reasons",
      header: "What changes",
      cell: ({ sentences }) => (
        <ul>
          {sentences.items.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {sentences.moreCount > 0 && <li>{plural(sentences.moreCount, "more change")}.</li>}
        </ul>
      ),
    },
    { key: "tests", header: "Tests", cell: (change) => <TouchedTests apiId={apiId} change={change} /> },
  ];
}

function TouchedTests({
  apiId,
  change: { method, path, pathBefore = path, tests },
}: {
  apiId: string;
  change: DisplayedChange;
}) {
  if (!tests) return "unknown";
  if (tests.items.length === 0) return "None";
  return (
    <ul>
      {tests.items.map((test) => (
        <li key={test.id}>
          <a href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: test.id })}>{test.name}</a>
          <Effects apiId={apiId} test={test} />
        </li>
      ))}
      {tests.moreCount > 0 && (
        <li>
          <a href={href("/test-management/:apiId/tests", { apiId }, { method, query: pathBefore })}>
            {formatCount(tests.moreCount)} more
          </a>
        </li>
      )}
    </ul>
  );
}

/** What of a test breaks, and what runs it. */
function Effects({ apiId, test: { effects, circles } }: { apiId: string; test: DisplayedTest }) {
  if (!effects) return null;
  if (effects.items.length === 0) return <p>Not affected.</p>;
  return (
    <>
      <ul>
        {effects.items.map(({ part, position, sentence }) => (
          <li key={`${part} ${position ?? ""} ${sentence}`}>
            {partNames[part]}
            {position === undefined ? "" : ` ${position}`}: {sentence}
          </li>
        ))}
        {effects.moreCount > 0 && <li>{effects.moreCount} more</li>}
      </ul>
      {circles.items.length > 0 && (
        <p>
          Runs in <CircleLinks apiId={apiId} circles={circles} />.
        </p>
      )}
    </>
  );
}

const partNames = { assertion: "Assertion", capture: "Capture", request: "Request" };
