import { href } from "~/href";
import { Notice } from "~/ui/notice/notice";

export interface IncidentsOfRunProps {
  incidents: readonly { id: string; title: string }[];
}

/** Links a failed run to the incidents with its cause. */
export function IncidentsOfRun({ incidents }: IncidentsOfRunProps) {
  if (incidents.length === 0) return null;
  return (
    <Notice title={incidents.length === 1 ? "Part of an open incident" : "Part of open incidents"}>
      <ul>
        {incidents.map(({ id, title }) => (
          <li key={id}>
            <a href={href("/test-management/incidents/:incidentId", { incidentId: id })}>{title}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
