import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requireStatus } from "~/features/status/require-status.server";
import { headline, isOld, statusWords } from "~/features/status/status-words";
import { href } from "~/href";
import { Main } from "~/shell/page/main";
import { Card } from "~/ui/card/card";
import { Column, Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ComponentCard } from "./component-card";
import { History } from "./history";
import * as styles from "./page.css";
import { Updates } from "./updates";

/** A standalone page: no header of the portal, no session, no script. */
export const handle = { standsAlone: true };

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.status.title}: ${statusWords[data.status.standing].word}` : "Status" },
  ...(data?.status.isNamed ? [] : [{ name: "robots", content: "noindex" }]),
  ...(data
    ? [{ tagName: "link", rel: "alternate", type: "application/atom+xml", title: data.status.title, href: data.feed }]
    : []),
];

export async function loader({ params, context }: LoaderFunctionArgs) {
  const status = await requireStatus(params.address!, context);
  return data(
    {
      status,
      isOld: isOld(status, Date.now()),
      feed: href("/status/:address/feed.atom", { address: params.address! }),
      subscribe: href("/status-updates/:address", { address: params.address! }),
    },
    {
      headers: {
        // Browsers revalidate, so the owner sees at once when it is closed; caches in between absorb part of the
        // load.
        "cache-control": "public, max-age=0, s-maxage=30",
        "content-security-policy":
          "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ...(status.isNamed ? {} : { "x-robots-tag": "noindex" }),
      },
    },
  );
}

export const headers: HeadersFunction = ({ loaderHeaders, errorHeaders }) => errorHeaders ?? loaderHeaders;

export default function StatusPage() {
  const { status, isOld, feed, subscribe } = useLoaderData<typeof loader>();
  const { tone } = statusWords[status.standing];
  const { components } = status;
  return (
    <Main>
      <Column width="form" className={styles.page}>
        <Stack gap="huge">
          <PageHeading title={status.title} />
          <Notice
            tone={tone}
            title={
              <>
                {headline(status)}
                {status.since && (
                  <>
                    {" "}
                    since <Moment value={status.since} />
                  </>
                )}
              </>
            }
          >
            {status.checkedAt ? (
              <>
                Last checked <Moment value={status.checkedAt} />.
              </>
            ) : (
              "The status appears here after the first check."
            )}
          </Notice>
          {status.message && (
            <Card title="Announcement">
              <p className={styles.words}>{status.message.text}</p>
              <p className={styles.small}>
                <Moment value={status.message.at} />
              </p>
            </Card>
          )}
          {isOld && (
            <Notice tone="warning" title="This status is out of date">
              The current status is not available. This is the status at <Moment value={status.asOf} />.
            </Notice>
          )}
          {status.text && <p className={styles.words}>{status.text}</p>}
          {status.incidents && status.incidents.length > 0 && (
            <Card title="Open incidents">
              <ul className={styles.incidents}>
                {status.incidents.map(({ title, openedAt }) => (
                  <li key={openedAt + title}>
                    {title}, since <Moment value={openedAt} />
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {components.length > 1 ? (
            components.map((component) => <ComponentCard key={component.name} component={component} />)
          ) : (
            <Card title="The last 90 days">
              <History history={status} />
            </Card>
          )}
          <Updates updates={status.updates} />
          <p className={styles.small}>
            Get updates <a href={subscribe}>by email</a> or with the <a href={feed}>Atom feed</a>.
          </p>
          <p className={styles.small}>
            As of <Moment value={status.asOf} precise />. Days are in UTC.
          </p>
        </Stack>
      </Column>
    </Main>
  );
}
