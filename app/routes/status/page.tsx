import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { DayStrip } from "~/features/status/day-strip";
import { requireStatus } from "~/features/status/require-status.server";
import { isOld, shareTone, shareWords, statusWords } from "~/features/status/status-words";
import { formatShare } from "~/features/trends/trend-words";
import { Main } from "~/shell/page/main";
import { Card } from "~/ui/card/card";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Column, Stack } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Stats } from "~/ui/stat/stat";
import { Table } from "~/ui/table/table";
import * as styles from "./page.css";

/** A standalone page: no header of the portal, no session, no script. */
export const handle = { standsAlone: true };

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.status.title}: ${statusWords[data.status.standing].word}` : "Status" },
  ...(data?.status.isNamed ? [] : [{ name: "robots", content: "noindex" }]),
];

export async function loader({ params, context }: LoaderFunctionArgs) {
  const status = await requireStatus(params.address!, context);
  return data(
    { status, isOld: isOld(status, Date.now()) },
    {
      headers: {
        // Browsers revalidate, so the owner sees at once when it is closed; caches in between absorb part of the
        // load.
        "cache-control": "public, max-age=0, s-maxage=30",
        "content-security-policy":
          "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ...(status.isNamed ? {} : { "x-robots-tag": "noindex" }),
      },
    },
  );
}

export const headers: HeadersFunction = ({ loaderHeaders, errorHeaders }) => errorHeaders ?? loaderHeaders;

export default function StatusPage() {
  const { status, isOld } = useLoaderData<typeof loader>();
  const { tone, sentence } = statusWords[status.standing];
  const days = status.days.toReversed();
  return (
    <Main>
      <Column width="form" className={styles.page}>
        <Stack gap="huge">
          <PageHeading title={status.title} />
          <Notice tone={tone} title={sentence}>
            {status.checkedAt ? (
              <>
                {status.since && (
                  <>
                    Since <Moment value={status.since} />.{" "}
                  </>
                )}
                Last checked <Moment value={status.checkedAt} />.
              </>
            ) : (
              "The status appears here after the first check."
            )}
          </Notice>
          {status.message && (
            <Card title="Current status">
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
          <Card title="The last 90 days">
            <Stack>
              <Stats
                items={[
                  { label: "30-day uptime", share: status.share30 },
                  { label: "90-day uptime", share: status.share90 },
                ].map(({ label, share }) => ({
                  ...{ label, value: formatShare(share), tone: shareTone(share, status) },
                  detail: status.counts === "passRate" ? "of checks passed" : "of requests succeeded",
                }))}
              />
              <DayStrip status={status} />
              <Disclosure summary="Day by day">
                <Table
                  caption="The last 90 days, newest first"
                  captionHidden
                  rows={days}
                  rowKey={({ day }) => day}
                  columns={[
                    { key: "day", header: "Day (UTC)", rowHeader: true, cell: ({ day }) => day },
                    { key: "share", header: "How it was", cell: ({ share }) => shareWords(share, status) },
                    { key: "results", header: "Checks", numeric: true, cell: ({ results }) => results },
                  ]}
                />
              </Disclosure>
            </Stack>
          </Card>
          <p className={styles.small}>
            As of <Moment value={status.asOf} precise />. Days are those of UTC.
          </p>
        </Stack>
      </Column>
    </Main>
  );
}
