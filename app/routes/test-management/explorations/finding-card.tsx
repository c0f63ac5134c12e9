import type { Exploration, FindingStep } from "#contracts/test-executioner/explorations.ts";
import { curlOfSent } from "~/features/code-samples/curl-of-sent";
import { kindWords } from "~/features/explorations/exploration-words";
import { OperationName } from "~/features/operation/operation-name";
import { RunKey } from "~/features/runs/run-key";
import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { FindingStepView } from "./finding-step";
import { isOneTest } from "./one-test";
import type { SavedFinding } from "./saved-findings.server";

export interface FindingCardProps {
  finding: Exploration["found"][number];
  /** From 1. */
  number: number;
  saved: SavedFinding | undefined;
  maySave: boolean;
  runKey: string;
}

/** Target in the page of a finding. */
export const toFindingId = (number: number) => `finding-${number}`;

/** One cause: what was wrong, where, and the requests that show it. */
export function FindingCard({ finding, number, saved, maySave, runKey }: FindingCardProps) {
  const { kind, message, also, seen, isRepeated, requests, milliseconds, steps, isKnown } = finding;
  const id = toFindingId(number);
  return (
    <Card
      id={id}
      headingLevel={3}
      title={<Sentence text={message} />}
      description={kindWords[kind]}
      actions={<Badge tone={isKnown ? "neutral" : "warning"}>{isKnown ? "Known" : "New"}</Badge>}
      footer={<SavePart {...{ finding, saved, maySave, runKey, number }} />}
    >
      <Stack gap="medium">
        <p>
          Seen {plural(seen, "time")}, first after {plural(requests, "request")} and {formatMilliseconds(milliseconds)}.
          {!isRepeated && " The same requests did not lead to it again."}
        </p>
        {also.length > 0 && (
          <div>
            <p>Also at:</p>
            <Operations operations={also} />
          </div>
        )}
        <div>
          {steps.map((step, index) => (
            <FindingStepView
              // biome-ignore lint/suspicious/noArrayIndexKey: the steps are in their order, and never change.
              key={index}
              step={step}
              id={`${number}-${index + 1}`}
            />
          ))}
          {steps.length > 1 && <ChainAsCurl steps={steps} id={id} />}
        </div>
      </Stack>
    </Card>
  );
}

/** With what stands between backticks as code. */
function Sentence({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts are in their order, and never change.
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

function Operations({ operations }: { operations: Exploration["found"][number]["also"] }) {
  return (
    <ul>
      {operations.map(({ method, path }) => (
        <li key={`${method} ${path}`}>
          <OperationName method={method} path={path} />
        </li>
      ))}
    </ul>
  );
}

function ChainAsCurl({ steps, id }: { steps: readonly FindingStep[]; id: string }) {
  const commands = steps.flatMap(({ request }) => (request ? [curlOfSent(request)] : []));
  return (
    <Disclosure look="framed" summary="All requests as cURL">
      <CodeBlock id={`${id}-curl`} label="All requests as cURL" wrap copy code={commands.join("\n\n")} />
    </Disclosure>
  );
}

function SavePart({ finding, saved, maySave, runKey, number }: FindingCardProps) {
  const one = isOneTest(finding);
  if (saved) {
    return (
      <p>
        Saved as {one ? "a test" : "a circle"}: <a href={saved.href}>{saved.name}</a>
      </p>
    );
  }
  if (!maySave) return null;
  return (
    <form method="post" action={`#${toFindingId(number)}`}>
      <RunKey value={runKey} />
      <input type="hidden" name="finding" value={finding.key} />
      <Button name="intent" value="save" icon="plus">
        {one ? "Save as a test" : "Save as a circle"}
      </Button>
    </form>
  );
}
