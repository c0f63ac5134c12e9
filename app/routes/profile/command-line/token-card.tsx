import type { CreatedApiToken } from "#contracts/security-service/api-tokens.ts";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";

/** The only time the token is displayed. */
export function TokenCard({ made }: { made: Pick<CreatedApiToken, "name" | "token"> }) {
  return (
    <Card title={`Token “${made.name}”`}>
      <Stack>
        <Notice role="alert" tone="warning" title="Copy it now: it is not shown again">
          Store it as a secret of your repository, as below, never in its files.
        </Notice>
        <CodeBlock id="token" label="Token" labelHidden code={made.token} wrap copy />
      </Stack>
    </Card>
  );
}
