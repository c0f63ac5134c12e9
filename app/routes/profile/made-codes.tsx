import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Row, Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";

/** The only time recovery codes are displayed. */
export function MadeCodes({ codes, isNew }: { codes: readonly string[]; isNew: boolean }) {
  return (
    <Card title="Recovery codes">
      <Stack>
        <Notice role="alert" tone="warning" title="Copy them now. They won't be shown again.">
          {isNew
            ? "The second factor is switched on. Without your phone, each of these signs you in once."
            : "Your previous codes no longer work."}
        </Notice>
        <CodeBlock id="recovery-codes" label="Recovery codes" labelHidden code={codes.join("\n")} copy />
        <Row>
          <LinkButton href={href("/profile/second-factor")} variant="primary">
            I saved them
          </LinkButton>
        </Row>
      </Stack>
    </Card>
  );
}
