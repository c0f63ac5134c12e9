import { href } from "~/href";
import * as styles from "./workspace-nav.css";

const circles = href("/test-management/test-circles/list");
const ofCircles = [
  circles,
  href("/test-management/test-circles/create"),
  href("/test-management/schedules"),
  href("/test-management/maintenance-windows"),
];
const incidents = href("/test-management/incidents");
const ofIncidents = [
  incidents,
  href("/test-management/certificates"),
  href("/test-management/alert-rules"),
  href("/test-management/alert-channels"),
];
const isAmong = (places: string[]) => (path: string) =>
  places.some((place) => path === place || path.startsWith(`${place}/`));
const isOfAllCircles = isAmong(ofCircles);
const isOfIncidents = isAmong(ofIncidents);
const isIn = (section: string) => (path: string) =>
  path.startsWith(section) && !isOfAllCircles(path) && !isOfIncidents(path);

const places = [
  { href: href("/api-management/list"), name: "APIs", has: isIn(href("/api-management")) },
  { href: href("/test-management/select-api"), name: "Tests", has: isIn(href("/test-management")) },
  { href: circles, name: "Circles", has: isOfAllCircles },
  { href: incidents, name: "Incidents", has: isOfIncidents },
];

/** The places of daily work, below the header of everybody who is signed in. */
export function WorkspaceNav({ path }: { path: string }) {
  return (
    <nav aria-label="Workspace" className={styles.bar}>
      <ul className={styles.places}>
        {places.map(({ href, name, has }) => (
          <li key={href}>
            <a href={href} className={styles.place} aria-current={has(path) ? "true" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
