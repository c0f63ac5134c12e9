import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Stack } from "~/ui/layout/layout";

/** Snippets for a README or a page, which embed the circle's status as a picture. */
export function BadgeSnippets({ pageUrl, title }: { pageUrl: string; title: string }) {
  const badgeUrl = `${pageUrl}/badge.svg`;
  const words = title.replace(/[[\]()\\`*_<>&"]/g, " ");
  return (
    <Card
      title="Address and badge"
      description={
        <>
          The badge shows the current status, or with <code>?show=availability</code> 30-day availability.
        </>
      }
    >
      <Stack>
        {/* Served by the portal itself, and sized by its text. */}
        <img src={`${new URL(badgeUrl).pathname}`} alt={`Badge of ${title}`} height="20" />
        <CodeBlock id="status-address" label="Address" copy wrap code={pageUrl} />
        <CodeBlock id="badge-markdown" label="Markdown" copy wrap code={`[![${words}](${badgeUrl})](${pageUrl})`} />
        <CodeBlock
          id="badge-html"
          label="HTML"
          copy
          wrap
          code={`<a href="${pageUrl}"><img src="${badgeUrl}?show=availability" alt="${words}"></a>`}
        />
      </Stack>
    </Card>
  );
}
