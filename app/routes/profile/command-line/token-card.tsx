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
        <Notice role="alert" tone="warning" title="Copy it now. It won't be shown again.">
          Store it as a repository secret, as below, never in its files.
        </Notice>
        <CodeBlock id="token" label="Token" labelHidden code={made.token} wrap copy />
      </Stack>
    </Card>
  );
}
