import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { problemResponse } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { connectForVisitor } from "~/session/visitor";
import { FormPage } from "~/shell/form-page/form-page";
import { Button } from "~/ui/button/button";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Stack } from "~/ui/layout/layout";
import { findLink } from "./find-link.server";

export const meta: MetaFunction = () => [{ title: "End updates by email" }, { name: "robots", content: "noindex" }];

export const loader = async ({ request, context }: LoaderFunctionArgs) => await findLink(request, context);

export async function action({ request, context }: ActionFunctionArgs) {
  const token = String((await readForm(request)).get("token") ?? "");
  const { backend } = await connectForVisitor(context);
  const ended = await backend.testAnalyzer.unsubscribeFromStatus({ query: { token } });
  if (!ended.ok && ended.status !== 422) throw problemResponse(ended.problem);
  return redirect(href("/end-status-updates"), 303);
}

export default function EndStatusUpdates() {
  const { link, token } = useLoaderData<typeof loader>();
  if (!link) {
    return (
      <FormPage title="No updates are sent">
        <p>This subscription has ended, and the address is deleted.</p>
      </FormPage>
    );
  }
  return (
    <FormPage title="End the updates?" description="The address is deleted. It can subscribe again at the status page.">
      <DefinitionList
        items={[
          { term: "Address", value: link.email },
          { term: "Status page", value: link.pageTitle },
        ]}
      />
      <form method="post" action={href("/end-status-updates")}>
        <Stack>
          <input type="hidden" name="token" value={token} />
          <Button variant="primary" size="large" fullWidth>
            End the updates
          </Button>
        </Stack>
      </form>
    </FormPage>
  );
}
