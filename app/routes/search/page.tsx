import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findEverything, readQuery } from "~/features/search/find-everything.server";
import { type Group, isKind, kinds } from "~/features/search/found";
import { KeyTable } from "~/features/search/key-table";
import { VerdictBadge } from "~/features/verdict/verdict-badge";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { PageHeading } from "~/ui/page-heading/page-heading";
import * as styles from "./search.css";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.query ? `Search: ${data.query}` : "Search"} · API Assurance` },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = readQuery(search);
  const given = search.get("kind");
  const kind = isKind(given) ? given : undefined;
  const { groups } = await findEverything(viewer, context, { query, kind, withStatus: true });
  const [only] = groups[0]?.kind === "id" && groups[0].hits.length === 1 ? groups[0].hits : [];
  // An id that was pasted whole leads to its page.
  if (only) throw redirect(only.href, 303);
  return { query, kind, groups, mayManageUsers: viewer.may("users:manage") };
}

export default function SearchPage() {
  const { query, kind, groups, mayManageUsers } = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHeading
        title={query ? `Search: ${query}` : "Search"}
        description={
          query
            ? undefined
            : `APIs, operations, tests, circles and their runs, open incidents, schedules, ${mayManageUsers ? "people, " : ""}pages and the documentation. Add a verdict to find runs with it, e.g. checkout failed. Paste the id of a run, an execution, a test or an incident to open it.`
        }
      />
      <FilterBar
        label="Search everything"
        action={href("/search")}
        search={{ label: "Search", defaultValue: query, placeholder: "e.g. get /orders" }}
        submitLabel="Search"
        hidden={{ kind }}
        resetHref={query ? href("/search") : undefined}
      />
      {kind && (
        <p>
          Only {kinds[kind].toLowerCase()} are listed. <a href={href("/search", { query })}>List everything</a>
        </p>
      )}
      {query && groups.length === 0 && <NothingFound />}
      {groups.map((group) => (
        <FoundGroup key={group.kind} group={group} query={query} isAlone={kind !== undefined} />
      ))}
      {!query && (
        <Card title="Keys" id="keys" description="They work on every page while you are not typing.">
          <KeyTable />
        </Card>
      )}
    </Page>
  );
}

function NothingFound() {
  return (
    <EmptyState title="Nothing matches" illustration="search">
      Each word must be the beginning of a word in the name. Try fewer or shorter words.
    </EmptyState>
  );
}

function FoundGroup({ group, query, isAlone }: { group: Group; query: string; isAlone: boolean }) {
  const { kind, hits, total, hasMore } = group;
  const label = kinds[kind];
  const noun = kind === "apis" ? label : kind === "docs" ? "sections" : label.toLowerCase();
  const rest = !isAlone && (total > hits.length || hasMore);
  return (
    <Card
      title={label}
      flush
      footer={
        rest ? (
          <LinkButton href={href("/search", { query, kind })} size="small">
            {hasMore ? `More than ${total}` : `All ${total}`} {noun}
          </LinkButton>
        ) : (
          isAlone &&
          hasMore && <p>More than {plural(hits.length, "result")} match. Enter more words to narrow the search.</p>
        )
      }
    >
      <ul className={styles.list}>
        {hits.map((hit) => (
          <li key={hit.href} className={styles.item}>
            <div className={styles.words}>
              <a href={hit.href} className={styles.name}>
                {hit.name}
              </a>
              {(hit.what || hit.where) && (
                <span className={styles.details}>
                  {hit.what}
                  {hit.what && hit.where && " · "}
                  {hit.where}
                </span>
              )}
            </div>
            {hit.status !== undefined && <VerdictBadge status={hit.status} />}
            {hit.state && (
              <Badge tone={hit.state.tone} icon={hit.state.icon}>
                {hit.state.word}
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
