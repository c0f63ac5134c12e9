import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireScope, requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { titleWithin } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Stack } from "~/ui/layout/layout";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { decide } from "./decide.server";
import { ProposalCard } from "./proposal-card";
import { toDisplayedProposal } from "./to-displayed-proposal.server";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Proposed tests");

const proposalsOnPage = 10;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const query = { cursor, limit: proposalsOnPage };
  const page = required(await viewer.backend.testRegistry.listTestProposals({ params: { apiId }, query }));
  return {
    apiId,
    address: request.url,
    cursor,
    nextCursor: page.nextCursor,
    proposals: page.items.map(toDisplayedProposal),
    mayDecide: viewer.may("tests:write"),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  requireScope(viewer, "tests:write");
  const decided = await decide(viewer.backend, await readForm(request));
  if ("refusal" in decided) return data(decided, { status: decided.status });
  return redirectWithToast(
    context,
    href("/test-management/:apiId/tests/proposals", { apiId: params.apiId! }),
    decided.sentence,
  );
}

export default function Proposals() {
  const { apiId, address, cursor, nextCursor, proposals, mayDecide } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <PageHeading
        title="Proposed tests"
        description="Drafts from assistants and other programs. They don't run or change a test until you accept them."
        actions={<LinkButton href={href("/test-management/:apiId/tests", { apiId })}>All tests</LinkButton>}
      />
      {refused && (
        <Notice tone="danger" role="alert" title="Nothing was changed">
          {refused.refusal}
        </Notice>
      )}
      {proposals.length === 0 ? (
        <EmptyState title="No proposals">
          Drafts from assistants with an API token that may propose tests appear here.
        </EmptyState>
      ) : (
        <Stack>
          {proposals.map((proposal) => (
            <ProposalCard key={proposal.id} {...{ apiId, proposal, mayDecide }} />
          ))}
        </Stack>
      )}
      <CursorPages label="Pages of proposed tests" {...{ address, cursor, nextCursor }} />
    </>
  );
}
