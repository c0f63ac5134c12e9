import type { z } from "zod";
import type { compareDocument, OperationChange } from "#contracts/api-registry/comparisons.ts";
import type { AlertRule } from "#contracts/test-analyzer/alert-rules.ts";
import { whatIsAway } from "~/backend/parts";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { type Column, Table } from "~/ui/table/table";
import { describeAlerting, listBrokenTests } from "./alerting-rules";

export interface ChangeReviewProps {
  apiId: string;
  changes: z.output<NonNullable<typeof compareDocument.response>>;
  /** Undefined if there is nothing to alert of, or they are unavailable. */
  rules?: readonly AlertRule[];
}

const displayedChanges = 100;
const displayedReasons = 10;
const displayedTests = 5;
const displayedEffects = 5;

/** The changes of a new version, and the tests they affect, before it is imported. */
export function ChangeReview({ apiId, changes, rules }: ChangeReviewProps) {
  const { added, changed, removed, unchangedCount } = changes;
  const breaking = [...changed.filter((change) => change.breaking), ...removed];
  const all = [...added, ...changed, ...removed];
  return (
    <Stack>
      <Notice
        tone={breaking.length > 0 ? "warning" : "success"}
        title={
          all.length === 0
            ? "No operation changes"
            : `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchangedCount.toLocaleString("en")} unchanged`
        }
      >
        {breaking.length === 0
          ? "Nothing that callers rely on goes away."
          : `${plural(breaking.length, "change")} can break callers${touchedInWords(breaking)}.`}
        {rules && ` ${describeAlerting(listBrokenTests(all), apiId, rules)}`}
      </Notice>
      {all.some(({ tests }) => tests === undefined) && (
        <Notice tone="warning" title={whatIsAway(["test-registry"])}>
          Which tests a change touches is not shown.
        </Notice>
      )}
      {(
        [
          ["Removed operations", removed],
          ["Changed operations", changed],
          ["Added operations", added],
        ] as const
      ).map(
        ([title, list]) =>
          list.length > 0 && (
            <Card key={title} title={title} flush>
              <Table
                caption={title}
                captionHidden
                columns={columnsFor(apiId)}
                rows={list.slice(0, displayedChanges)}
                rowKey={({ kind, method, path }) => `${kind} ${method} ${path}`}
              />
              {list.length > displayedChanges && (
                <p>{(list.length - displayedChanges).toLocaleString("en")} more are not listed.</p>
              )}
            </Card>
          ),
      )}
    </Stack>
  );
}

function touchedInWords(breaking: readonly OperationChange[]): string {
  if (breaking.some(({ tests }) => tests === undefined)) return "";
  const touched = breaking.reduce((sum, { tests }) => sum + (tests?.total ?? 0), 0);
  const broken = listBrokenTests(breaking);
  const named =
    broken.length > 0 ? `; ${plural(broken.length, "listed test")} ${broken.length === 1 ? "breaks" : "break"}` : "";
  return `; ${plural(touched, "test")} of this API ${touched === 1 ? "calls" : "call"} what they touch${named}`;
}

function columnsFor(apiId: string): Column<OperationChange>[] {
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
        breaking ? <Badge tone="danger">Can break</Badge> : <Badge tone="success">Compatible</Badge>,
    },
    {
      key: "reasons",
      header: "What changes",
      cell: (change) => <Reasons change={change} />,
    },
    { key: "tests", header: "Tests", cell: (change) => <TouchedTests apiId={apiId} change={change} /> },
  ];
}

function Reasons({ change: { changes, moreCount } }: { change: OperationChange }) {
  const hidden = moreCount + Math.max(changes.length - displayedReasons, 0);
  return (
    <ul>
      {changes.slice(0, displayedReasons).map(({ rule, sentence }) => (
        <li key={`${rule} ${sentence}`}>{sentence}</li>
      ))}
      {hidden > 0 && <li>{plural(hidden, "more change")}.</li>}
    </ul>
  );
}

function TouchedTests({
  apiId,
  change: { method, path, pathBefore = path, tests },
}: {
  apiId: string;
  change: OperationChange;
}) {
  if (!tests) return "unknown";
  if (tests.total === 0) return "None";
  const hidden = tests.total - Math.min(tests.items.length, displayedTests);
  return (
    <ul>
      {tests.items.slice(0, displayedTests).map((test) => (
        <li key={test.id}>
          <a href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: test.id })}>{test.name}</a>
          <Effects test={test} />
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <a href={href("/test-management/:apiId/tests", { apiId }, { method, query: pathBefore })}>{hidden} more</a>
        </li>
      )}
    </ul>
  );
}

type AffectedTest = NonNullable<OperationChange["tests"]>["items"][number];

/** What of a test breaks, and what runs it. */
function Effects({ test: { effects, circles = [] } }: { test: AffectedTest }) {
  if (!effects) return null;
  if (effects.length === 0) return <p>Nothing of it breaks by the document.</p>;
  const hidden = effects.length - displayedEffects;
  return (
    <>
      <ul>
        {effects.slice(0, displayedEffects).map(({ part, position, sentence }) => (
          <li key={`${part} ${position ?? ""} ${sentence}`}>
            {partNames[part]}
            {position === undefined ? "" : ` ${position}`}: {sentence}
          </li>
        ))}
        {hidden > 0 && <li>{hidden} more</li>}
      </ul>
      {circles.length > 0 && <p>Runs in {circles.map(nameCircle).join(", ")}.</p>}
    </>
  );
}

const partNames = { assertion: "Assertion", capture: "Capture", request: "Request" };

function nameCircle({ name, schedules }: NonNullable<AffectedTest["circles"]>[number]): string {
  return schedules === 0 ? name : `${name} (${plural(schedules, "schedule")})`;
}
