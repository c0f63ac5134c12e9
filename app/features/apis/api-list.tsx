import { href } from "~/href";
import { plural } from "~/ui/count/plural";
import { ListPage } from "~/ui/list-page/list-page";
import { Select } from "~/ui/select/select";
import type { ListedApis } from "./api-list.server";
import { ApiTable } from "./api-table";
import { nothingListedYet } from "./no-apis-yet";

export interface ApiListProps {
  title: string;
  description?: string;
  listed: ListedApis;
}

/** The APIs of the organization, to browse or to choose from. */
export function ApiList({ title, description, listed }: ApiListProps) {
  const { apis, filters, address, nextCursor, total, knownTags, mayRegister, offersExample, range, now } = listed;
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
      nothingYet={nothingListedYet({ mayRegister, offersExample })}
    >
      <ApiTable {...{ apis, address, sort, range, now }} />
    </ListPage>
  );
}
