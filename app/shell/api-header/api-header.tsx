import { useLocation, useMatches } from "@remix-run/react";
import { apiStatusElementId } from "~/features/verdict/api-status-element";
import { href } from "~/href";
import { Breadcrumbs } from "~/ui/breadcrumbs/breadcrumbs";
import type { ApiPageHandle } from "./api-handle";
import * as styles from "./api-header.css";
import { ApiStatus } from "./api-status";
import { EnvironmentPicker } from "./environment-picker";
import type { ApiContext } from "./find-api-header.server";
import { RunMenu } from "./run-menu";

/** At the top of every page of an API: the way here, its status and environment, and Run. Its pages are in the rail. */
export function ApiHeader(context: ApiContext) {
  const { api, executions, mayChange, chosen } = context;
  const baseUrl = chosen?.baseUrl ?? api.effectiveBaseUrl;
  const { pathname } = useLocation();
  const matches = useMatches();
  const hasOwnRun = matches.some(({ handle }) => (handle as ApiPageHandle | undefined)?.hasOwnRun);
  const trail = matches.flatMap(({ handle, data, params }) => {
    const { crumbs } = (handle ?? {}) as ApiPageHandle;
    return crumbs?.({ data, params }) ?? [];
  });
  const overview = href("/test-management/:apiId/manage", { apiId: api.id });
  return (
    <section className={styles.bar} aria-label={api.name}>
      <div className={styles.api}>
        <Breadcrumbs
          className={styles.trail}
          items={[
            { label: "APIs", href: href("/api-management/list") },
            { label: api.name, note: api.version, href: pathname === overview ? undefined : overview },
            ...trail,
          ]}
        />
        <span id={apiStatusElementId} className={styles.state}>
          <ApiStatus apiId={api.id} executions={executions} now={context.now} />
        </span>
        <span className={styles.target}>
          <EnvironmentPicker {...context} />
          {baseUrl !== null ? (
            <code className={styles.baseUrl}>{baseUrl}</code>
          ) : mayChange ? (
            <a href={href("/api-management/:apiId/details/edit", { apiId: api.id })}>Set the base URL</a>
          ) : (
            "No base URL"
          )}
        </span>
        <span className={styles.run}>{!hasOwnRun && <RunMenu {...context} />}</span>
      </div>
    </section>
  );
}
