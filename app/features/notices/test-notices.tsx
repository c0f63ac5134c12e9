import type { TestNotices as Notices } from "#contracts/test-executioner/notices.ts";
import { executionAddress } from "~/features/runs/execution-address";
import { href } from "~/href";
import { Button } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Row, Stack } from "~/ui/layout/layout";
import { useFormatMoment } from "~/ui/moment/moment";
import { Table } from "~/ui/table/table";
import { CannotFail } from "./cannot-fail";
import { allMisses } from "./miss-key";
import { assertionTitle, groupMisses, type MissGroup, noticesSentence, unknownWords } from "./notices-words";

export interface TestNoticesProps {
  apiId: string;
  /** Undefined where unknown. */
  notices: Notices | undefined;
  /** Of the test that the notices are of: what is added goes into this version. */
  version: number;
  mayWrite: boolean;
  /** Address of the page to return to. */
  returnTo: string;
}

/** Inside what is folded: a link to it opens that, without script too. */
export const missedId = "missed-changes";

/** What a test would notice if the response were wrong, and checks that would notice the rest. */
export function TestNotices({ apiId, notices, version, mayWrite, returnTo }: TestNoticesProps) {
  if (!notices) return null;
  const { state, testId, missedChanges } = notices;
  if (state !== "found") {
    return (
      <p>
        <small>{unknownWords[state]}</small>
      </p>
    );
  }
  const groups = groupMisses(missedChanges);
  const addable = groups.filter(({ assertion }) => assertion);
  const form = { action: href("/test-management/:apiId/tests/:testId/notices", { apiId, testId }), version, returnTo };
  return (
    <Disclosure
      look="framed"
      summary={
        <Row gap="small">
          {noticesSentence(notices)}
          {notices.cannotFail && <CannotFail />}
        </Row>
      }
    >
      <Stack gap="medium" id={missedId}>
        <Explanation apiId={apiId} notices={notices} />
        {mayWrite && addable.length > 1 && (
          <AddForm {...form} missKey={allMisses} label={`Add all ${addable.length} checks`} />
        )}
        {groups.length > 0 && <Misses {...{ groups, mayWrite, form }} />}
      </Stack>
    </Disclosure>
  );
}

function Explanation({ apiId, notices }: { apiId: string; notices: Notices }) {
  const { testId, executionId, foundAt, leftOut, setAside } = notices;
  const formatMoment = useFormatMoment();
  return (
    <p>
      <small>
        {foundAt && `Measured ${formatMoment(foundAt)}: the `}
        {executionId && <a href={executionAddress({ apiId, testId, executionId })}>last passed response</a>} was changed
        in {plural(notices.changes, "way")} and evaluated again, without sending a request.
        {leftOut > 0 && ` ${plural(leftOut, "further change")} not tried.`}
        {setAside > 0 &&
          ` ${plural(setAside, "assertion or check", "assertions or checks")} can't be evaluated on the stored response and ${setAside === 1 ? "was" : "were"} left out.`}
      </small>
    </p>
  );
}

type FormParts = Omit<AddFormProps, "missKey" | "label" | "describedAs">;

function Misses({ groups, mayWrite, form }: { groups: MissGroup[]; mayWrite: boolean; form: FormParts }) {
  return (
    <Table
      caption="Changes this test would miss"
      rows={groups}
      rowKey={({ key }) => key}
      columns={[
        { key: "missed", header: "Would miss", rowHeader: true, cell: ({ phrases }) => phrases.join(", ") },
        {
          key: "check",
          header: "Check that would catch it",
          cell: ({ assertion }) =>
            assertion ? <code>{assertionTitle(assertion)}</code> : "None found for this response",
        },
        {
          key: "add",
          header: "Add",
          headerHidden: true,
          tight: true,
          cell: ({ key, assertion }) =>
            mayWrite &&
            assertion && (
              <AddForm
                {...form}
                missKey={key}
                label="Add this check"
                describedAs={`Add this check: ${assertionTitle(assertion)}`}
              />
            ),
        },
      ]}
    />
  );
}

interface AddFormProps {
  action: string;
  version: number;
  returnTo: string;
  missKey: string;
  label: string;
  describedAs?: string;
}

function AddForm({ action, version, returnTo, missKey, label, describedAs }: AddFormProps) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="returnTo" value={returnTo} />
      <Button size="small" icon="plus" name="miss" value={missKey} aria-label={describedAs}>
        {label}
      </Button>
    </form>
  );
}
