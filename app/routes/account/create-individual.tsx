import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { loadRequestForm, requestAccount } from "./request/request-account.server";
import { RequestAccountForm } from "./request/request-account-form";

export const meta: MetaFunction = () => [{ title: "Register as an individual · API Assurance" }];

export const loader = (request: LoaderFunctionArgs) => loadRequestForm(request);
export const action = (request: ActionFunctionArgs) => requestAccount(request, "individual");

export default function CreateIndividualAccount() {
  return (
    <RequestAccountForm
      kind="individual"
      lastResult={useActionData<typeof action>()}
      {...useLoaderData<typeof loader>()}
    />
  );
}
