import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/answers";
import { requireViewer } from "~/session/guards";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Stack } from "~/ui/layout/layout";
import { isUnfinished } from "~/verdict/verdict-words";
import type { Verification } from "../../../../services/test-analyzer/contract/verifications.ts";
import { useExecution } from "./use-execution";
import { VerificationItem } from "./verification-item";
import { outcomeCounts, worstFirst } from "./verification-words";

export const meta: MetaFunction = () => [{ title: "Verifications · API Assurance" }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const executionId = params.testExecutionId!;
  return required(await viewer.backend.testAnalyzer.listVerifications({ params: { executionId } }));
}

export default function Verifications() {
  const items = useLoaderData<typeof loader>().items as Verification[];
  const execution = useExecution();
  if (items.length === 0) {
    return (
      <EmptyState title={isUnfinished(execution) ? "Nothing is judged yet" : "Nothing was verified"}>
        {isUnfinished(execution)
          ? "Every assertion and check stands here as soon as the answer has come."
          : "No answer came that could have been judged. The cause is above."}
      </EmptyState>
    );
  }
  const numbered = worstFirst(items).map((verification, index) => ({ id: `verification-${index + 1}`, verification }));
  return (
    <section aria-labelledby="verifications">
      <Stack gap="medium">
        <h2 id="verifications">{outcomeCounts(items)}</h2>
        {numbered.map(({ id, verification }) => (
          <VerificationItem key={id} id={id} verification={verification} />
        ))}
      </Stack>
    </section>
  );
}
