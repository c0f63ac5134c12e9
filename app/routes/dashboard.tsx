import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/answers";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Column } from "~/ui/layout/layout";

export const meta: MetaFunction = () => [{ title: "Dashboard · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apis = required(await viewer.backend.apiRegistry.listApis({ query: {} }));
  return { apis: apis.items };
}

export default function Dashboard() {
  const { apis } = useLoaderData<typeof loader>();
  return (
    <Column width="page">
      <h1>Dashboard</h1>
      <ul>
        {apis.map((api) => (
          <li key={api.id}>
            <a href={`/api-management/${api.id}/details`}>{api.name}</a>
          </li>
        ))}
      </ul>
      {apis.length === 0 && (
        <EmptyState
          title="No API is registered yet"
          action={
            <LinkButton href="/api-management/register" variant="primary">
              Register an API
            </LinkButton>
          }
        />
      )}
    </Column>
  );
}
