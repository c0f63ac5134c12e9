import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { isRouteErrorResponse, Meta, Outlet, useMatches, useRouteError, useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { isPrefetch } from "remix-utils/is-prefetch";
import { zoneNames } from "#libraries/time-zone/zone-names.ts";
import { href } from "~/href";
import "~/styles/themes.css";
import "~/styles/faces.css";
import "~/styles/reset.css";
import { findAnnouncement } from "~/features/notifications/find-announcement.server";
import { ViewersClock } from "~/features/time-zone/viewers-clock";
import { zoneWords } from "~/features/time-zone/zone-words";
import { islandSource } from "~/islands/island-attributes";
import type { ToastMessage } from "~/session/toast-message";
import { findApiContext } from "~/shell/api-header/api-handle";
import { CookieBanner } from "~/shell/cookie-banner/cookie-banner";
import * as styles from "~/shell/document.css";
import { EntryScript } from "~/shell/entry-script";
import { ErrorView } from "~/shell/error-view/error-view";
import { Footer } from "~/shell/footer/footer";
import { getShell } from "~/shell/get-shell.server";
import { Header } from "~/shell/header/header";
import { mainId } from "~/shell/main-id";
import { NotificationModal } from "~/shell/notification-modal/notification-modal";
import { countOpenIncidents } from "~/shell/rail/count-open-incidents.server";
import { findRail } from "~/shell/rail/find-rail";
import { Rail } from "~/shell/rail/rail";
import * as railStyles from "~/shell/rail/rail.css";
import { getRailCounts } from "~/shell/rail/rail-handle";
import { StyleSheets } from "~/shell/style-sheets";
import { Toasts } from "~/shell/toasts/toasts";
import { SkipLink, SkipToList } from "~/ui/skip-link/skip-link";

export const meta: MetaFunction = () => [{ title: "API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  // A prefetched page may never be displayed: it consumes nothing that is shown once.
  const isVisit = !isPrefetch(request);
  const shell = getShell(request, context);
  return {
    ...shell,
    openIncidents: shell.railScopes && (await countOpenIncidents(context)),
    toasts: isVisit ? context.session.takeToasts() : [],
    announcement: isVisit ? await findAnnouncement(request, context) : undefined,
    kept: context.kept,
  };
}

const icon = { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" };

function Document({ children, toasts }: { children: ReactNode; toasts: ToastMessage[] }) {
  const shell = useRouteLoaderData<typeof loader>("root");
  const matches = useMatches();
  if (matches.some(({ handle }) => (handle as { standsAlone?: true } | undefined)?.standsAlone)) {
    return <LoneDocument>{children}</LoneDocument>;
  }
  const theme = shell?.theme === "light" || shell?.theme === "dark" ? shell.theme : undefined;
  const zone = shell && { timeZone: shell.timeZone, names: zoneNames(shell.timeZone) };
  const content = (
    <>
      <ViewersClock zone={zone}>{children}</ViewersClock>
      <Footer
        contactAddress={shell?.contactAddress}
        zone={shell?.viewerName ? { name: zoneWords(shell.timeZone), page: shell.path + shell.search } : undefined}
      />
    </>
  );
  const scopes = shell?.railScopes;
  const counts = { openIncidents: shell?.openIncidents, ...getRailCounts(matches) };
  return (
    <html
      lang="en"
      data-theme={theme}
      data-asks-time-zone={shell?.asksForTimeZone || undefined}
      data-parts={islandSource("page-parts")}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* The background that browsers paint before the styles load. */}
        <meta name="color-scheme" content={theme ?? "light dark"} />
        <Meta />
        <link {...icon} />
        <StyleSheets />
        <EntryScript />
      </head>
      <body className={styles.body}>
        <SkipLink href={`#${mainId}`}>Skip to content</SkipLink>
        {scopes && <SkipToList />}
        <Header
          path={shell?.path ?? href("/")}
          search={shell?.search}
          viewerName={shell?.viewerName}
          byInvitation={shell?.byInvitation}
          overRail={scopes !== undefined}
          hasSingleKeys={shell?.hasSingleKeys}
        />
        {shell?.asksForCookies && <CookieBanner returnTo={shell.path + shell.search} />}
        {scopes ? (
          <div className={railStyles.frame}>
            <Rail {...findRail({ path: shell.path, scopes, api: findApiContext(matches), counts })} />
            <div className={railStyles.beside}>{content}</div>
          </div>
        ) : (
          content
        )}
        <Toasts toasts={toasts} />
      </body>
    </html>
  );
}

/** For pages that caches may share: no script and so no nonce, and nothing about the viewer. */
function LoneDocument({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <link {...icon} />
        <StyleSheets forAll />
      </head>
      <body className={styles.body}>{children}</body>
    </html>
  );
}

export default function Root() {
  const shell = useRouteLoaderData<typeof loader>("root");
  return (
    <Document toasts={shell?.toasts ?? []}>
      <Outlet />
      {shell?.announcement && <NotificationModal {...shell.announcement} returnTo={shell.path + shell.search} />}
    </Document>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const shell = useRouteLoaderData<typeof loader>("root");
  const api = findApiContext(useMatches())?.api;
  const forbidden = isRouteErrorResponse(error) && error.status === 403;
  const toasts: ToastMessage[] = forbidden
    ? [
        {
          id: "forbidden",
          title: "Error",
          message: "You don't have permission to access this resource",
          variant: "danger",
          actions: [{ name: "Ok" }],
        },
      ]
    : [];
  return (
    <Document toasts={toasts}>
      <ErrorView error={error} requestId={shell?.requestId} signedIn={Boolean(shell?.viewerName)} api={api} />
    </Document>
  );
}
