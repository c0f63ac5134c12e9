import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import { ListPage } from "~/ui/list-page/list-page";
import { Select } from "~/ui/select/select";
import type { ListedApis } from "./api-list.server";
import { ApiTable } from "./api-table";

export interface ApiListProps {
  title: string;
  description?: string;
  listed: ListedApis;
}

/** The APIs of the organization, to browse or to choose from. */
export function ApiList({ title, description, listed }: ApiListProps) {
  const { apis, filters, address, nextCursor, total, knownTags, mayRegister, now } = listed;
  const { sort, ...asked } = filters;
  return (
    <ListPage
      {...{ title, description, requested: asked, address, nextCursor }}
      one="API"
      many="APIs"
      create={mayRegister && { href: href("/api-management/register"), label: "Register an API" }}
      searchLabel="Search by name"
      hidden={{ sort: sort === "name" ? undefined : sort }}
      filters={
        knownTags.length > 0 && (
          <Select
            label="Tag"
            labelHidden
            name="tag"
            defaultValue={asked.tag}
            placeholder="Any tag"
            options={knownTags.map((value) => ({ value, label: value }))}
          />
        )
      }
      summary={total === undefined ? undefined : plural(total, "API")}
      isEmpty={apis.length === 0}
      nothingYet={{
        title: "No API is registered yet",
        children: mayRegister
          ? "Start with the OpenAPI document of an API: its address, its file or its text. What was understood is shown before anything is saved."
          : "Somebody who may change APIs registers the first one from its OpenAPI document.",
      }}
    >
      <ApiTable {...{ apis, address, sort, now }} />
    </ListPage>
  );
}
