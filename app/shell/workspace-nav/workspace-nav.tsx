import { href } from "~/href";
import { Tabs } from "~/ui/tabs/tabs";
import * as styles from "./workspace-nav.css";

const sections = [
  {
    name: "APIs",
    pages: [
      {
        label: "APIs",
        href: href("/api-management/list"),
        with: [href("/api-management/register"), href("/test-management/select-api")],
      },
    ],
  },
  {
    name: "Circles",
    label: "Circles and when they run",
    pages: [
      {
        label: "Circles",
        href: href("/test-management/test-circles/list"),
        with: [href("/test-management/test-circles/create")],
      },
      { label: "Schedules", href: href("/test-management/schedules") },
      { label: "Maintenance windows", href: href("/test-management/maintenance-windows") },
    ],
  },
  {
    name: "Incidents",
    label: "Incidents and alerts",
    pages: [
      { label: "Incidents", href: href("/test-management/incidents") },
      { label: "Failing tests", href: href("/test-management/failing-tests") },
      { label: "Certificates", href: href("/test-management/certificates") },
      { label: "Alert rules", href: href("/test-management/alert-rules") },
      { label: "Alert channels", href: href("/test-management/alert-channels") },
    ],
  },
] as const satisfies readonly Section[];

interface Section {
  name: string;
  /** Items of its second row; none for a section of one page. */
  label?: string;
  pages: readonly SectionPage[];
}

interface SectionPage {
  label: string;
  href: string;
  /** Pages that belong to it at other addresses. */
  with?: readonly string[];
}

const holds = (page: SectionPage, path: string) =>
  [page.href, ...(page.with ?? [])].some((location) => path === location || path.startsWith(`${location}/`));

/** The sections of the workspace, and the pages of the current one: the rows below the header outside an API. */
export function WorkspaceNav({ path }: { path: string }) {
  const current: Section | undefined = sections.find(({ pages }) => pages.some((page) => holds(page, path)));
  return (
    <div className={styles.bar}>
      <nav aria-label="Workspace">
        <ul className={styles.links}>
          {sections.map(({ name, pages }) => (
            <li key={name}>
              <a
                href={pages[0].href}
                className={styles.link}
                aria-current={name === current?.name ? "true" : undefined}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {current?.label && (
        <Tabs
          label={current.label}
          className={styles.pages}
          items={current.pages.map((page) => ({
            label: page.label,
            href: page.href,
            current: path === page.href ? ("page" as const) : holds(page, path) && ("section" as const),
          }))}
        />
      )}
    </div>
  );
}
