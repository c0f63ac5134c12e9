import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { chapters, parts } from "~/features/docs/chapters";
import { findChapter, searchChapters } from "~/features/docs/written-chapters.server";
import { href } from "~/href";
import { Page } from "~/shell/page/page";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Column, Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { SideNavigation } from "~/ui/side-navigation/side-navigation";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.query ? `Search: ${data.query}` : (data?.title ?? "Not found")} · API Assurance` },
];

export function loader({ params, request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams.get("query")?.trim().slice(0, 200) ?? "";
  const key = params.chapter ?? chapters[0]!.key;
  const found = findChapter(key);
  if (!found) throw new Response("No such page of the documentation.", { status: 404 });
  if (query) return { key, query, title: found.title, html: "", found: searchChapters(query) };
  return { key, query, title: found.title, html: found.html, found: [] };
}

/** A chapter of the documentation, or what a search found in all of them. */
export default function Docs() {
  const { key, query, title, html, found } = useLoaderData<typeof loader>();
  const groups = parts.map((part) => ({
    key: part.label,
    label: part.label,
    items: part.chapters.map((chapter) => ({
      href: href("/docs/:chapter", { chapter: chapter.key }),
      label: chapter.label,
      current: !query && chapter.key === key,
    })),
  }));
  return (
    <Page sidebar={<SideNavigation label="Documentation" groups={groups} flows />}>
      <PageHeading title={query ? `Search: ${query}` : title} />
      <Column width="prose">
        <Stack gap="huge">
          <FilterBar
            label="Search the documentation"
            action={href("/docs")}
            search={{ label: "Search the documentation", defaultValue: query }}
            submitLabel="Search"
            resetHref={query ? href("/docs") : undefined}
          />
          {query ? <FoundSections found={found} /> : <Prose sanitizedHtml={html} />}
        </Stack>
      </Column>
    </Page>
  );
}

function FoundSections({ found }: { found: ReturnType<typeof searchChapters> }) {
  if (found.length === 0) return <p>No page contains all of these words. Try fewer or other words.</p>;
  return (
    <Prose>
      <ul>
        {found.map(({ chapter, section, excerpt }) => (
          <li key={`${chapter.key} ${section.id}`}>
            <a href={`${href("/docs/:chapter", { chapter: chapter.key })}${section.id ? `#${section.id}` : ""}`}>
              {section.id ? `${chapter.label}: ${section.heading}` : section.heading}
            </a>
            <br />
            {excerpt}
          </li>
        ))}
      </ul>
    </Prose>
  );
}
