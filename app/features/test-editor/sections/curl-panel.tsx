import { Button } from "~/ui/button/button";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { TextArea } from "~/ui/text-area/text-area";
import type { CurlAnswer } from "../editor-props.ts";

/** Fills the form from a command, which the server parses. */
export function CurlPanel({ answer }: { answer: CurlAnswer | undefined }) {
  const { command = "", fault, replaces, notes } = answer ?? {};
  return (
    <Disclosure look="framed" id="paste-curl" summary="Paste cURL" open={answer !== undefined}>
      <Stack gap="medium">
        {notes && (
          <Notice
            tone={notes.length > 0 ? "warning" : "success"}
            role="status"
            title="The request was filled from the command"
          >
            {notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </Notice>
        )}
        <TextArea
          label="cURL command"
          name="curl"
          code
          required={false}
          rows={3}
          defaultValue={command}
          errors={fault ? [fault] : undefined}
          hint="From a browser or this portal, for Linux, macOS or the Windows command prompt. Nothing is saved until you save."
        />
        {replaces && (
          <Notice tone="warning" role="alert" title={`This replaces: ${replaces.join(", ")}`}>
            <Button name="then" value="curl-replace" formNoValidate>
              Replace it
            </Button>
          </Notice>
        )}
        <div>
          <Button name="then" value="curl" formNoValidate size="small">
            Fill in from the command
          </Button>
        </div>
      </Stack>
    </Disclosure>
  );
}
