import { OperationName } from "~/features/operation/operation-name";
import { Badge } from "~/ui/badge/badge";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { plural } from "~/ui/count/plural";
import { Table } from "~/ui/table/table";
import type { ReviewedRequest } from "./import-reply";

const states: Record<ReviewedRequest["state"], { word: string; tone: "success" | "neutral" | "warning" | "danger" }> = {
  new: { word: "New test", tone: "success" },
  changed: { word: "Changed", tone: "warning" },
  unchanged: { word: "Unchanged", tone: "neutral" },
  edited: { word: "Edited here", tone: "warning" },
  exists: { word: "There already", tone: "neutral" },
  unmatched: { word: "No operation", tone: "warning" },
  left_out: { word: "Left out", tone: "neutral" },
  unusable: { word: "Not possible", tone: "danger" },
};

/** Requests of the files with the operations that they are of, each with a tick to import it. */
export function RequestTable({ requests, total }: { requests: readonly ReviewedRequest[]; total: number }) {
  return (
    <>
      <Table
        caption="Requests of the files"
        captionHidden
        bare
        rows={requests.map((request, index) => ({ ...request, index }))}
        rowKey={({ id }) => id}
        columns={[
          {
            key: "name",
            header: "Request",
            rowHeader: true,
            cell: ({ id, name, folders, index, state, position }) => (
              <>
                <input type="hidden" name="known" value={id} />
                <Checkbox
                  id={`request-${index}`}
                  name="take"
                  value={id}
                  defaultChecked={state !== "left_out"}
                  label={[...folders, name].join(" / ")}
                  hint={position}
                />
              </>
            ),
          },
          {
            key: "operation",
            header: "Operation",
            cell: ({ operation, baseUrl, method, url }) => (
              <>
                <OperationName method={operation?.method ?? method} path={operation?.path ?? url} />
                {baseUrl && <div>Sent to {baseUrl}</div>}
              </>
            ),
          },
          { key: "carried", header: "Carried over", cell: describeCarried },
          {
            key: "state",
            header: "State",
            tight: true,
            cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].word}</Badge>,
          },
        ]}
      />
      {total > requests.length && (
        <p>{(total - requests.length).toLocaleString("en")} more are not listed here, and imported like these.</p>
      )}
    </>
  );
}

function describeCarried({ assertions, checks, captures, state }: ReviewedRequest): string {
  if (state === "unmatched" || state === "left_out" || state === "unusable") return "–";
  const parts = [
    assertions > 0 && plural(assertions, "assertion"),
    checks > 0 && plural(checks, "check"),
    captures.length > 0 && `captures ${captures.join(", ")}`,
  ];
  return parts.filter(Boolean).join(", ") || "–";
}
