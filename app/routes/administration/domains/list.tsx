import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { verificationStates } from "#contracts/security-service/domains.ts";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { ListPage } from "~/ui/list-page/list-page";
import { Select } from "~/ui/select/select";
import { DomainTable } from "./domain-table";

export const meta: MetaFunction = () => [{ title: "Domains · API Assurance" }];

const states = { verified: "Verified", unverified: "Unverified" } as const;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const state = verificationStates.find((known) => known === search.get("state"));
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.securityService.listDomains({ query: { query, state, cursor } }));
  return {
    asked: { query, state, cursor },
    address: request.url,
    domains: page.items,
    nextCursor: page.nextCursor,
    mayManage: viewer.may("domains:manage"),
  };
}

export default function Domains() {
  const { asked, address, domains, nextCursor, mayManage } = useLoaderData<typeof loader>();
  return (
    <ListPage
      title="Domains"
      description="The hosts of your tests, their ownership verification, and how requests to them are authorized."
      one="domain"
      many="domains"
      {...{ requested: asked, address, nextCursor }}
      create={mayManage && { href: href("/administration/domain/create"), label: "Create a domain" }}
      searchLabel="Search by name or description"
      filters={
        <Select
          label="Ownership"
          labelHidden
          name="state"
          placeholder="Verified/unverified"
          defaultValue={asked.state}
          options={verificationStates.map((value) => ({ value, label: states[value] }))}
        />
      }
      isEmpty={domains.length === 0}
      nothingYet={{
        title: "No domains yet",
        illustration: "keys",
        children: mayManage
          ? "Create one for the host of an API, verify that you own it, and store its credentials."
          : "An administrator needs to create the first one.",
      }}
    >
      <DomainTable {...{ domains, mayManage }} />
    </ListPage>
  );
}
