import type { MetaFunction } from "@remix-run/node";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Stack } from "~/ui/layout/layout";
import { formatMilliseconds } from "~/ui/plot/waterfall";
import { VerdictBadge } from "~/verdict/verdict-badge";
import { isUnfinished } from "~/verdict/verdict-words";
import { AttemptView } from "./attempt-view";
import { useExecution } from "./use-execution";

export const meta: MetaFunction = () => [{ title: "Results · API Assurance" }];

export default function Results() {
  const execution = useExecution();
  const [last, ...earlier] = [...execution.attempts].reverse();
  if (!last) {
    return (
      <EmptyState title="Nothing was sent">
        {isUnfinished(execution)
          ? "The request and its answer stand here as soon as the execution is finished."
          : "The execution ended before a request left the portal. The cause is above."}
      </EmptyState>
    );
  }
  return (
    <Stack gap="huge">
      <AttemptView attempt={last} />
      {earlier.length > 0 && (
        <section aria-labelledby="earlier-attempts">
          <Stack gap="medium">
            <h2 id="earlier-attempts">Earlier attempts</h2>
            {earlier.map((attempt) => (
              <Disclosure
                key={attempt.number}
                look="framed"
                summary={
                  <>
                    Attempt {attempt.number} <VerdictBadge standing={attempt.verdict} />{" "}
                    {attempt.cause?.detail ?? `Status ${attempt.response?.status ?? "unknown"}`}
                    {`, ${formatMilliseconds(attempt.durationMilliseconds)}`}
                  </>
                }
              >
                <AttemptView attempt={attempt} />
              </Disclosure>
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  );
}
