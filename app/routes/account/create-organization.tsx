import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { loadRequestForm, requestAccount } from "./request/request-account.server";
import { RequestAccountForm } from "./request/request-account-form";

export const meta: MetaFunction = () => [{ title: "Register an organization · API Assurance" }];

export const loader = (request: LoaderFunctionArgs) => loadRequestForm(request);
export const action = (request: ActionFunctionArgs) => requestAccount(request, "organization");

export default function CreateOrganizationAccount() {
  return (
    <RequestAccountForm
      kind="organization"
      lastResult={useActionData<typeof action>()}
      {...useLoaderData<typeof loader>()}
    />
  );
}
