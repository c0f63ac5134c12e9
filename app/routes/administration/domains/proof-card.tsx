import type { Domain } from "#contracts/security-service/domains.ts";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Stack } from "~/ui/layout/layout";
import { useFormatMoment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { graceInWords } from "./domain-words";

export interface ProofCardProps {
  verification: Domain["verification"];
  /** The form's target. */
  action: string;
}

/** Where the proof of a domain has to be published, and the result of the last check. */
export function ProofCard({ verification, action }: ProofCardProps) {
  const formatMoment = useFormatMoment();
  const { state, failure, method, record, file, checkedAt } = verification;
  const when = checkedAt ? `Last checked on ${formatMoment(checkedAt)}.` : "Not checked yet.";
  return (
    <Card
      title="Ownership"
      id="ownership"
      description={state === "verified" ? `${when} It is checked again every day: leave the proof where it is.` : when}
      actions={
        <form method="post" action={action}>
          <Button name="intent" value="check" icon="refresh">
            Check now
          </Button>
        </form>
      }
    >
      <Stack>
        {failure && (
          <Notice
            tone="warning"
            title={state === "verified" ? "Verification record no longer found" : "Verification record not found"}
          >
            {failure}
            {state === "verified" && ` ${graceInWords(verification, formatMoment)}`}
          </Notice>
        )}
        {method === "dnsTxt" && record && (
          <>
            <p>
              Add this TXT record at your DNS provider. Other records are ignored. New records can take a few hours to
              propagate.
            </p>
            <CodeBlock id="record-name" label="Name of the record" code={record.name} wrap copy />
            <CodeBlock id="record-value" label="Value of the record" code={record.value} wrap copy />
          </>
        )}
        {method === "wellKnown" && file && (
          <>
            <p>
              Serve a text file with this line at this URL, with status 200 and no redirect. Hosts without TLS may use
              http. Other lines are ignored.
            </p>
            <CodeBlock id="file-address" label="File URL" code={file.url} wrap copy />
            <CodeBlock id="file-content" label="Line in file" code={file.content} wrap copy />
          </>
        )}
      </Stack>
    </Card>
  );
}
