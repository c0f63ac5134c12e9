import { maximumImportBytes } from "#contracts/test-registry/imports.ts";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { ErrorSummary } from "~/ui/error-summary/error-summary";
import { FileField } from "~/ui/file-field/file-field";
import { Column, Stack } from "~/ui/layout/layout";
import { Select } from "~/ui/select/select";
import { TextArea } from "~/ui/text-area/text-area";
import { formatOptions } from "./format-options";
import type { ImportReply } from "./import-reply";
import { ImportResult } from "./import-result";
import { ImportReviewForm } from "./import-review-form";

interface Props {
  /** Undefined where the API is made from the requests. */
  apiId: string | undefined;
  reply: ImportReply | undefined;
}

/** The steps of an import: files, review, result. */
export function ImportView({ apiId, reply }: Props) {
  if (reply?.imported) return <ImportResult imported={reply.imported} />;
  return (
    <Stack gap="huge">
      {reply?.error && <ErrorSummary errors={[{ message: reply.error }]} title="Nothing was imported" />}
      {reply?.review ? (
        <ImportReviewForm apiId={apiId} review={reply.review} apiName={reply.typed.apiName} />
      ) : (
        <SourceForm typed={reply?.typed} />
      )}
    </Stack>
  );
}

function SourceForm({ typed }: { typed: ImportReply["typed"] | undefined }) {
  return (
    <Column width="form">
      <form method="post" encType="multipart/form-data">
        <Card
          title="Files"
          description="Postman, Bruno, Insomnia, Hurl, .http, HAR or Arazzo. Scripts in them are read, and never run."
        >
          <Stack gap="large">
            <FileField
              id="files"
              name="files"
              label="Files"
              required={false}
              multiple
              accept=".json,.yaml,.yml,.har,.bru,.hurl,.env,.http,.rest,.zip"
              hint={`At most ${maximumImportBytes / 1_000_000} MB. A collection with its environments, or a ZIP archive of a folder.`}
            />
            <TextArea
              id="pasted"
              name="pasted"
              label="Or paste the content of a file"
              required={false}
              code
              rows={8}
              defaultValue={typed?.pasted}
            />
            <Select
              id="format"
              name="format"
              label="Format"
              required={false}
              placeholder="Recognize it"
              options={formatOptions}
              defaultValue={typed?.format}
            />
            <div>
              <Button name="intent" value="review" variant="primary">
                Review
              </Button>
            </div>
          </Stack>
        </Card>
      </form>
    </Column>
  );
}
