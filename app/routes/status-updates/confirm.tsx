import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { problemResponse } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { connectForVisitor } from "~/session/visitor";
import { FormPage } from "~/shell/form-page/form-page";
import { LinkEnded } from "~/shell/link-ended";
import { Button, LinkButton } from "~/ui/button/button";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Stack } from "~/ui/layout/layout";
import { findLink } from "./find-link.server";

export const meta: MetaFunction = () => [{ title: "Updates by email" }, { name: "robots", content: "noindex" }];

/** A GET only reads the link's subject: mail programs prefetch links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const found = await findLink(request, context);
  return data(found, { status: found.link ? 200 : 404 });
}

/** The same page reports every outcome. */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = String((await readForm(request)).get("token") ?? "");
  const { backend } = await connectForVisitor(context);
  const confirmed = await backend.testAnalyzer.confirmSubscription({ body: { token } });
  if (!confirmed.ok && confirmed.status !== 404 && confirmed.status !== 422) throw problemResponse(confirmed.problem);
  return redirect(href("/confirm-status-updates", { token: confirmed.ok ? token : undefined }), 303);
}

export default function ConfirmStatusUpdates() {
  const { link, token } = useLoaderData<typeof loader>();
  if (!link) {
    return (
      <LinkEnded holds="7 days" worksOften>
        <p>It has also ended when a newer one was mailed, or when the status page was closed.</p>
      </LinkEnded>
    );
  }
  const { email, pageTitle, pageAddress, confirmedAt } = link;
  const details = [
    { term: "Address", value: email },
    { term: "Status page", value: pageTitle },
  ];
  if (confirmedAt !== null) {
    return (
      <FormPage
        title="This address receives updates"
        description="Each email has a link that ends them."
        below={<a href={href("/end-status-updates", { token })}>End them now</a>}
      >
        <DefinitionList items={details} />
        <LinkButton href={href("/status/:address", { address: pageAddress })}>Go to the status page</LinkButton>
      </FormPage>
    );
  }
  return (
    <FormPage
      title="Do you want updates at this address?"
      description="They are emails that say what changes on a status page."
      below="If you did not expect this, close this page: nothing is sent unless you confirm."
    >
      <DefinitionList items={details} />
      <form method="post" action={href("/confirm-status-updates")}>
        <Stack>
          <input type="hidden" name="token" value={token} />
          <Button variant="primary" size="large" fullWidth>
            Yes, send updates here
          </Button>
        </Stack>
      </form>
    </FormPage>
  );
}
