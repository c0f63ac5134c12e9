import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { FailingList } from "~/features/failing-tests/failing-list";
import { findApisById, nameApis } from "~/features/failing-tests/failing-tests.server";
import { findRecoveringTests } from "~/features/recoveries/recovering-tests.server";
import { newRunKey } from "~/features/runs/start-run.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";

export const meta: MetaFunction = () => [{ title: "Failing tests · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { backend } = viewer;
  const search = new URL(request.url).searchParams;
  const [requested, cursor] = ["apiId", "cursor"].map((name) => search.get(name) || undefined);
  const all = required(await backend.testExecutioner.listFailingTests({ query: requested ? {} : { cursor } }));
  const page = requested
    ? required(await backend.testExecutioner.listFailingTests({ query: { apiId: requested, cursor } }))
    : all;
  // On the last page, after all that failed last.
  const recovering = page.nextCursor ? [] : await findRecoveringTests(backend, requested ? { apiIds: requested } : {});
  const apis = await findApisById(
    backend,
    [...all.byApi, ...page.items, ...recovering].map(({ apiId }) => apiId),
  );
  return {
    ...{ asked: requested, cursor, total: page.total, nextCursor: page.nextCursor },
    tests: nameApis(page.items, recovering, apis),
    choices: apis.map(({ id, name }) => ({ value: id, label: name })),
    address: request.url,
    mayRun: viewer.may("tests:run"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

export default function FailingTests() {
  const { asked, cursor, total, nextCursor, tests, choices, address, ...shown } = useLoaderData<typeof loader>();
  const everywhere = listAddress(address, { apiId: undefined });
  return (
    <Page>
      <PageHeading title="Failing tests" description="Failed and not passed since, newest first." />
      {(asked || choices.length > 1) && (
        <FilterBar label="Filter failing tests" resetHref={asked ? everywhere : undefined}>
          <Select
            label="API"
            labelHidden
            name="apiId"
            defaultValue={asked ?? ""}
            options={[{ value: "", label: "All APIs" }, ...choices]}
          />
        </FilterBar>
      )}
      {tests.length > 0 ? (
        <Card flush aria-label="Failing tests">
          <FailingList tests={tests} {...shown} />
        </Card>
      ) : (
        <EmptyState
          illustration="quiet"
          title={asked ? "This API has no failing tests" : "No failing tests"}
          action={
            asked ? (
              <LinkButton href={everywhere}>Show all APIs</LinkButton>
            ) : (
              <LinkButton href={href("/api-management/list")}>See the APIs</LinkButton>
            )
          }
        >
          Tests are listed from their first failure until they pass and their incident is resolved.
        </EmptyState>
      )}
      <CursorPages
        label="Pages of failing tests"
        summary={total !== undefined && total > tests.length ? plural(total, "failing test") : undefined}
        {...{ address, cursor, nextCursor }}
      />
    </Page>
  );
}
