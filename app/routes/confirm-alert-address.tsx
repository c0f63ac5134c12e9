import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { mailedToken } from "#contracts/security-service/account.ts";
import { problemResponse } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { connectForVisitor } from "~/session/visitor";
import { FormPage } from "~/shell/form-page/form-page";
import { LinkEnded } from "~/shell/link-ended";
import { Button } from "~/ui/button/button";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";

export const meta: MetaFunction = () => [{ title: "Alerts by email · API Assurance" }];

/** A GET only reads the link's subject: mail programs prefetch links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = mailedToken.safeParse(new URL(request.url).searchParams.get("token"));
  const ended = data({ asked: undefined, token: "" }, { status: 404 });
  if (!token.success) return ended;
  const { backend } = await connectForVisitor(context);
  const found = await backend.testAnalyzer.readAddressLink({ body: { token: token.data } });
  if (found.ok) return data({ asked: found.value, token: token.data });
  if (found.status !== 404) throw problemResponse(found.problem);
  return ended;
}

/** The same page reports every outcome. */
export async function action({ request, context }: ActionFunctionArgs) {
  const token = String((await readForm(request)).get("token") ?? "");
  const { backend } = await connectForVisitor(context);
  const confirmed = await backend.testAnalyzer.confirmAddress({ body: { token } });
  if (!confirmed.ok && confirmed.status >= 500) throw problemResponse(confirmed.problem);
  return redirect(href("/confirm-alert-address", { token: confirmed.ok ? token : undefined }), 303);
}

export default function ConfirmAlertAddress() {
  const { asked, token } = useLoaderData<typeof loader>();
  if (!asked) {
    return (
      <LinkEnded holds="7 days" worksOften>
        <p>
          It also expires when a newer one is sent or the address is removed. A new link can be sent from the alert
          channel's page.
        </p>
      </LinkEnded>
    );
  }
  const { address, organizationName, confirmedAt } = asked;
  const details = [
    { term: "Address", value: address },
    { term: "Organization", value: organizationName },
    confirmedAt !== null && { term: "Confirmed", value: <Moment value={confirmedAt} /> },
  ];
  if (confirmedAt !== null) {
    return (
      <FormPage
        title="This address receives alerts"
        description="The organization chooses the APIs. Each email names its alert channel: to stop the emails, ask the organization to remove the address from it."
      >
        <DefinitionList items={details} />
      </FormPage>
    );
  }
  return (
    <FormPage
      title="Send alerts to this address?"
      description="They are emails that say when an API breaks and when it recovers."
      below="If you did not expect this, close this page: nothing is sent unless you confirm."
    >
      <DefinitionList items={details} />
      <form method="post" action={href("/confirm-alert-address")}>
        <Stack>
          <input type="hidden" name="token" value={token} />
          <Button variant="primary" size="large" fullWidth>
            Yes, send alerts here
          </Button>
        </Stack>
      </form>
    </FormPage>
  );
}
