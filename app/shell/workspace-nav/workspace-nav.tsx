import { href } from "~/href";
import * as styles from "./workspace-nav.css";

const places = [
  { href: href("/api-management/list"), section: href("/api-management"), name: "APIs" },
  { href: href("/test-management/select-api"), section: href("/test-management"), name: "Tests" },
];

/** The two places of daily work, below the header of everybody who is signed in. */
export function WorkspaceNav({ path }: { path: string }) {
  return (
    <nav aria-label="Workspace" className={styles.bar}>
      <ul className={styles.places}>
        {places.map(({ href, section, name }) => (
          <li key={href}>
            <a href={href} className={styles.place} aria-current={path.startsWith(section) ? "true" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
