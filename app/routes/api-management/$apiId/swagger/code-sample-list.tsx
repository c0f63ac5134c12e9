import type { ReactNode } from "react";
import type { CodeSample } from "~/features/code-samples/code-samples";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";

/** The same call in several languages, one open at a time. */
export function CodeSampleList({ samples, children }: { samples: readonly CodeSample[]; children?: ReactNode }) {
  return (
    <Card title="Code">
      <Stack gap="small">
        {children}
        {samples.map(({ language, code }, index) => (
          <Disclosure key={language} summary={language} name="code-samples" open={index === 0}>
            <CodeBlock id={`code-${language}`} label={`${language} sample`} labelHidden code={code} copy />
          </Disclosure>
        ))}
      </Stack>
    </Card>
  );
}
