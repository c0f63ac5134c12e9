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
  const { apis, filters, address, nextCursor, total, knownTags, mayRegister, range, now } = listed;
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
        title: "No APIs registered yet",
        children: mayRegister
          ? "Register an API from a URL, a file or pasted text. You see a summary before anything is saved."
          : "A user with permission to change APIs needs to register the first one from its OpenAPI document.",
      }}
    >
      <ApiTable {...{ apis, address, sort, range, now }} />
    </ListPage>
  );
}
